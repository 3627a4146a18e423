/** The session: what it is about, and how to begin and end one. */

import { Play, Square } from "lucide-react";
import { type ReactNode, useState } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Button } from "../../../../ui/button";
import type { IssueContext } from "../../../../wire/generated";
import { ConfirmDialog } from "../../../../ui/confirm-dialog";
import { useCoachActions } from "../../state/actions";
import { useCoachSession } from "../../state/session";
import { SmallButton } from "./panel-section";

const text = coachStrings.session;

export function SessionCard(): ReactNode {
  const id = useCoachSession((session) => session.id);
  const issue = useCoachSession((session) => session.issue);
  return (
    <section aria-label={id === null ? text.none : text.untitled} className="border-b border-rule bg-cover px-4 py-3">
      {id === null ? <StartForm /> : <Running issue={issue} />}
    </section>
  );
}

function Running({ issue }: { issue: IssueContext | null }): ReactNode {
  const isEnding = useCoachSession((session) => session.isEnding);
  const { endSession } = useCoachActions();
  const [isAsked, setIsAsked] = useState(false);
  const title = issue === null || issue.title === "" ? text.untitled : issue.title;
  return (
    <>
        <h2 className="text-lg">
          {typeof issue?.number === "number" && <span className="text-door-ink">#{issue.number} </span>}
          {typeof issue?.url === "string" && /^https?:/.test(issue.url) ? (
            <a href={issue.url} target="_blank" rel="noreferrer" className="underline underline-offset-4">
              {title}
            </a>
          ) : (
            title
          )}
        </h2>
      {issue !== null && issue.summary !== "" && <p className="mt-1">{issue.summary}</p>}
      {issue !== null && issue.labels.length > 0 && (
        <ul aria-label={text.labels} className="mt-2 flex flex-wrap gap-1.5">
          {issue.labels.map((label) => (
            <li key={label} className="rounded-full border border-edge px-2.5 text-sm font-semibold">
              {label}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2 flex justify-end">
        <SmallButton
          disabled={isEnding}
          onClick={() => {
            setIsAsked(true);
          }}
        >
          <Square aria-hidden className="size-3.5" />
          {isEnding ? text.ending : text.end}
        </SmallButton>
      </div>
      {isAsked && (
        <ConfirmDialog
          title={text.endTitle}
          description={text.endLead}
          confirm={text.end}
          cancel={text.cancel}
          busy={false}
          error={null}
          onConfirm={() => {
            setIsAsked(false);
            endSession();
          }}
          onCancel={() => {
            setIsAsked(false);
          }}
        />
      )}
    </>
  );
}

function StartForm(): ReactNode {
  const { startSession } = useCoachActions();
  const [number, setNumber] = useState("");
  const [title, setTitle] = useState("");
  const submit = (): void => {
    const issue = number.trim() === "" ? null : Number(number);
    startSession(issue, title.trim() === "" ? null : title.trim());
  };
  const field = "min-h-11 w-full rounded-md border border-edge bg-card px-3";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <h2 className="text-lg">{text.none}</h2>
      <p className="mt-1 text-base">{text.noneLead}</p>
      <div className="mt-2 grid grid-cols-[7.5rem_1fr] gap-2">
        <label className="text-base font-semibold">
          {text.issueNumber}
          <input
            type="number"
            min={0}
            inputMode="numeric"
            value={number}
            onChange={(event) => {
              setNumber(event.target.value);
            }}
            className={field}
          />
        </label>
        <label className="text-base font-semibold">
          {text.issueTitle}
          <input
            value={title}
            maxLength={500}
            onChange={(event) => {
              setTitle(event.target.value);
            }}
            className={field}
          />
        </label>
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button type="submit">
          <Play aria-hidden className="size-4" />
          {text.start}
        </Button>
        <span className="text-base text-ink-soft">{text.optional}</span>
      </div>
    </form>
  );
}
