/** The coach beside the editor: session, phases, how much help, what Paige says, and what it was asked. */

import { clsx } from "clsx";
import { Circle, CircleCheck, CircleDot, ClipboardCheck, Eye, EyeOff, Play, Square, VolumeX, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

import { Button, IconButton } from "../../../ui/button";
import { ConfirmDialog } from "../../../ui/dialog";
import { Markdown } from "../../../ui/markdown";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { IssueContext, PhaseInfo } from "../../../wire/generated";
import { ReviewView } from "../practice";
import { useCoachActions } from "../state/actions";
import { useFiles } from "../state/files";
import { LEVELS, showsLines, useDecorations, useHints } from "../state/hints";
import { type Said, useCoachSession } from "../state/session";
import { type Explanation as Answer, NOT_ASKED, useQuestions } from "../state/stores";
import { coachStrings } from "../strings";
import { NudgeCard } from "./nudge-card";
import { PanelSection, SmallButton } from "./panel-section";

export function CoachPanel({ withNudge }: { withNudge: boolean }): ReactNode {
  const id = useCoachSession((session) => session.id);
  const current = useFiles((files) => files.current);
  return (
    <div className="flex flex-col lg:bg-card">
      {withNudge && <NudgeCard />}
      <SessionCard />
      {id !== null && <Phases />}
      <Explanation />
      <HintLevels />
      {current !== null && <HintList path={current} />}
      <Messages />
      <Review />
      {id !== null && <Observer />}
    </div>
  );
}

const text = coachStrings.session;

/** The session: what it is about, and how to begin and end one. */
function SessionCard(): ReactNode {
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

const phasesText = coachStrings.phases;

const ICONS = { pending: Circle, active: CircleDot, complete: CircleCheck };

/** The phases of the plan, with the one that is worked on now. */
function Phases(): ReactNode {
  const { phases, memoryConnection, difficulty } = useCoachSession();
  const active = phases.find(({ status }) => status === "active");
  return (
    <PanelSection
      title={phasesText.heading}
      aside={active !== undefined && <p className="text-base text-ink-soft">{phasesText.current(active.number, phases.length)}</p>}
    >
      {phases.length === 0 ? (
        <p className="text-ink-soft">{phasesText.empty}</p>
      ) : (
        <ol className="flex flex-col gap-2">
          {phases.map((phase) => (
            <Phase key={phase.number} phase={phase} />
          ))}
        </ol>
      )}
      {difficulty !== null && phases.length > 0 && <p className="mt-2 text-base text-ink-soft">{phasesText.difficulty(difficulty)}</p>}
      {memoryConnection !== null && (
        <p className="mt-1 text-base">
          <strong>{phasesText.memory}</strong> {memoryConnection}
        </p>
      )}
    </PanelSection>
  );
}

function Phase({ phase: { number, title, description, status } }: { phase: PhaseInfo }): ReactNode {
  const Icon = ICONS[status];
  const isActive = status === "active";
  return (
    <li
      aria-current={isActive ? "step" : undefined}
      className={clsx("flex gap-2.5 rounded-md", isActive && "-mx-2 border-l-4 border-spine bg-paper px-2 py-1.5")}
    >
      <Icon
        aria-hidden
        className={clsx("mt-1 size-4 shrink-0", status === "complete" ? "text-ok" : isActive ? "text-door-ink" : "text-ink-soft")}
      />
      <div className="min-w-0">
        <p className={isActive ? "font-semibold" : undefined}>
          {number}. {title} <span className="text-sm font-semibold text-ink-soft">{phasesText.status[status]}</span>
        </p>
        {isActive && <Marked className="block text-base" text={description} />}
      </div>
    </li>
  );
}

const hintsText = coachStrings.hints;

/** How much of where to work is shown: nothing, files, regions, lines. */
function HintLevels(): ReactNode {
  const level = useHints((hints) => hints.level);
  const { setHintLevel } = useCoachActions();
  const id = useId();
  const at = LEVELS.indexOf(level);
  return (
    <div className="border-b border-rule px-4 py-3">
      <label htmlFor={id} className="font-heading text-[1.0625rem] font-semibold">
        {hintsText.level}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={LEVELS.length - 1}
        step={1}
        value={at}
        aria-valuetext={hintsText.levels[level]}
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          const chosen = LEVELS[Number(event.target.value)];
          if (chosen !== undefined) setHintLevel(chosen);
        }}
        className="coach-slider mt-2 block w-full"
      />
      <div aria-hidden className="flex justify-between text-sm font-semibold">
        {LEVELS.map((name) => (
          <span key={name} className={name === level ? "text-door-ink" : "text-ink-soft"}>
            {hintsText.levels[name]}
          </span>
        ))}
      </div>
      <p id={`${id}-note`} className="mt-1 text-base text-ink-soft">
        {hintsText.levelNote[level]}
      </p>
    </div>
  );
}

/** More than these are behind a button. */
const FEW = 6;

/** The hints of the file in front as a list: the same as in the editor, for the keyboard and for readers. */
function HintList({ path }: { path: string }): ReactNode {
  const hints = useDecorations(path);
  const isOn = useHints(showsLines);
  const [most, setMost] = useState(FEW);
  const { openFile } = useCoachActions();
  const sorted = [...hints].sort((one, other) => one.start - other.start);
  return (
    <PanelSection title={hintsText.heading} aside={hints.length > 0 && <p className="text-base text-ink-soft">{hintsText.count(hints.length)}</p>}>
      {hints.length === 0 && <p className="text-ink-soft">{isOn ? hintsText.empty : hintsText.off}</p>}
      <ul className="flex flex-col gap-1">
        {sorted.slice(0, most).map(({ start, end, style, hoverText }, at) => (
          <li key={`${start}-${end}-${at}`}>
            <button
              type="button"
              onClick={() => {
                openFile(path, start);
              }}
              className="-mx-2 block w-[calc(100%+1rem)] rounded-md px-2 py-1 text-left hover:bg-line/50"
            >
              <span className="text-base font-semibold text-door-ink">
                {hintsText.lines(start, end)} · {hintsText.styles[style] ?? style}
              </span>
              <span className="block">{hoverText ?? hintsText.noWords}</span>
            </button>
          </li>
        ))}
      </ul>
      {hints.length > most && (
        <SmallButton
          className="mt-2"
          onClick={() => {
            setMost(hints.length);
          }}
        >
          {hintsText.more(hints.length - most)}
        </SmallButton>
      )}
    </PanelSection>
  );
}

const messagesText = coachStrings.messages;

/** What Paige said, the newest first; readers hear each message once. */
function Messages(): ReactNode {
  const said = useCoachSession((session) => session.said);
  return (
    <PanelSection title={messagesText.heading}>
      {said.length === 0 ? (
        <p className="text-ink-soft">{messagesText.empty}</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {said.toReversed().map((each) => (
            <Message key={each.id} said={each} />
          ))}
        </ul>
      )}
    </PanelSection>
  );
}

function Message({ said: { id, text: words, type, anchor } }: { said: Said }): ReactNode {
  const dismiss = useCoachSession((session) => session.dismiss);
  const { openFile } = useCoachActions();
  return (
    <li className="relative rounded-md border border-line bg-paper py-2 pr-10 pl-3">
      <p className="text-sm font-semibold text-door-ink">{messagesText.kinds[type] ?? type}</p>
      <Marked className="block whitespace-pre-line" text={words} />
      {anchor !== null && (
        <button
          type="button"
          onClick={() => {
            openFile(anchor.path, anchor.startLine);
          }}
          className="mt-0.5 text-left text-base text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          {messagesText.at(anchor.path, anchor.startLine)}
        </button>
      )}
      <IconButton
        label={messagesText.dismiss}
        onClick={() => {
          dismiss(id);
        }}
        className="absolute top-0 right-0 size-10 text-ink-soft hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
}

const observerText = coachStrings.observer;

/** Whether the observer watches, and whether it may speak. */
function Observer(): ReactNode {
  const { active, muted } = useCoachSession((session) => session.observer);
  const { mute } = useCoachActions();
  const Icon = !active ? EyeOff : muted ? VolumeX : Eye;
  return (
    <PanelSection
      title={observerText.heading}
      aside={
        active && (
          <SmallButton
            onClick={() => {
              mute(!muted);
            }}
          >
            {muted ? observerText.unmute : observerText.mute}
          </SmallButton>
        )
      }
    >
      <p role="status" className="flex items-center gap-2 text-base text-ink-soft">
        <Icon aria-hidden className="size-4 shrink-0" />
        {!active ? observerText.off : muted ? observerText.muted : observerText.watching}
      </p>
    </PanelSection>
  );
}

// What Paige answered: what some code means, and what it thinks of the work so far.

const answersText = coachStrings.questions;

function Explanation(): ReactNode {
  const asked = useQuestions((questions) => questions.explanation);
  if (asked.state === "none") return null;
  return (
    <PanelSection
      title={answersText.explain}
      isAlwaysOpen
      aside={
        asked.state !== "asking" && (
          <IconButton
            label={answersText.close}
            onClick={() => {
              useQuestions.setState({ explanation: NOT_ASKED });
            }}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        )
      }
    >
      {asked.state === "asking" && <Waiting label={answersText.explaining} />}
      {asked.state === "failed" && <Failed title={answersText.explainFailed} {...asked} />}
      {asked.state === "answered" && <Explained answer={asked.answer} />}
    </PanelSection>
  );
}

function Explained({ answer }: { answer: Answer }): ReactNode {
  const { openFile } = useCoachActions();
  const { explanation, keyConcepts, analogy, relatedFiles, phaseConnection } = answer;
  return (
    <div className="flex flex-col gap-2">
      <Markdown text={explanation} deeper={2} />
      {keyConcepts.length > 0 && (
        <p>
          <strong>{answersText.concepts}</strong> {keyConcepts.join(", ")}
        </p>
      )}
      {analogy !== null && (
        <p>
          <strong>{answersText.analogy}</strong> {analogy}
        </p>
      )}
      {phaseConnection !== null && (
        <p>
          <strong>{answersText.phase}</strong> {phaseConnection}
        </p>
      )}
      {relatedFiles !== null && relatedFiles.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5">
          <strong>{answersText.related}</strong>
          {relatedFiles.map((path) => (
            <SmallButton
              key={path}
              onClick={() => {
                openFile(path);
              }}
            >
              {path}
            </SmallButton>
          ))}
        </div>
      )}
    </div>
  );
}

function Review(): ReactNode {
  const asked = useQuestions((questions) => questions.review);
  const { review } = useCoachActions();
  return (
    <PanelSection
      title={answersText.review}
      aside={
        <SmallButton disabled={asked.state === "asking"} onClick={review}>
          <ClipboardCheck aria-hidden className="size-4" />
          {answersText.reviewAsk}
        </SmallButton>
      }
    >
      {asked.state === "asking" && <Waiting label={answersText.reviewing} />}
      {asked.state === "failed" && <Failed title={answersText.reviewFailed} {...asked} />}
      {asked.state === "answered" && <ReviewView review={asked.answer} />}
    </PanelSection>
  );
}

function Waiting({ label }: { label: string }): ReactNode {
  return (
    <Loading label={label}>
      <p aria-hidden className="text-base text-ink-soft">
        {label}
      </p>
      <Skeleton className="mt-2 h-16" />
    </Loading>
  );
}

function Failed({ title, message, hint }: { title: string; message: string; hint: string | null }): ReactNode {
  return (
    <div role="alert">
      <p className="font-semibold text-fail">{title}</p>
      <Marked className="block" text={message} />
      <Marked className="block text-ink-soft" text={hint ?? answersText.failedHint} />
    </div>
  );
}
