/** Where one says what one wants: the words, what to make of them, and for whom. */

import { SendHorizontal } from "lucide-react";
import type { ReactNode } from "react";
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import { Button } from "../../../ui/button";
import { sendOnEnter } from "../../../ui/forms/enter";
import { FormError } from "../../../ui/forms/field";
import type { PlanCommand, PlanOverview, PlanRun, PlanSession } from "../../../wire/generated";
import { useAddress } from "../address";
import { useAsk, useOverview } from "../hooks";
import { planStrings } from "../strings";
import { awaitNext, COMPOSER_ID, focusQuestion } from "./focus";

const text = planStrings.composer;

interface ComposerProps {
  session: PlanSession | null;
  lastRun?: PlanRun | undefined;
}

export function Composer({ session, lastRun }: ComposerProps): ReactNode {
  const overview = useOverview().data;
  const blocked = lastRun === undefined ? null : whyBlocked(lastRun);
  return (
    <div data-unprinted className="pt-1 pb-4 max-lg:mt-6">
      {blocked === null ? (
        <Form session={session} lastRun={lastRun} overview={overview} />
      ) : (
        <p className="flex items-center gap-2 border-t border-line pt-3 text-base text-ink-soft">
          {blocked}
          {lastRun?.state === "waiting" && (
            <button type="button" className="prose-link" onClick={focusQuestion}>
              {text.toQuestion}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

function whyBlocked({ state }: PlanRun): string | null {
  switch (state) {
    case "running":
      return text.wait;
    case "waiting":
      return text.answerFirst;
    case "interrupted":
      return text.continueFirst;
    case "ended":
      return null;
  }
}

function Form({ session, lastRun, overview }: ComposerProps & { overview: PlanOverview | undefined }): ReactNode {
  const id = session?.id ?? null;
  const request = useRequest(({ requests }) => requestOf(requests, id));
  const { change, drop } = useRequest.getState();
  const { openSession } = useAddress();
  const ask = useAsk((started) => {
    drop(id);
    if (id === null) openSession(started.session);
  });
  const commands = overview?.commands ?? [];
  const command = chosenCommand(commands, request.command, session, lastRun);
  const classes = overview?.classes ?? [];
  const canSend = request.words.trim() !== "" && command !== undefined && !ask.isPending;
  const send = (): void => {
    if (!canSend) return;
    awaitNext();
    ask.mutate({
      command: command.fullName,
      input: request.words.trim(),
      classId: request.classId,
      session: id,
      memory: request.memory,
    });
  };
  return (
    <form
      className="rounded-xl border border-edge bg-card shadow-xs focus-within:border-accent"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={COMPOSER_ID} className="sr-only">
        {session === null ? text.label : text.follow}
      </label>
      <textarea
        id={COMPOSER_ID}
        rows={2}
        value={request.words}
        placeholder={session === null ? text.placeholder : text.followPlaceholder}
        aria-describedby={ask.isError ? "plan-request-error" : "plan-request-hint"}
        aria-invalid={ask.isError}
        onChange={(event) => {
          change(id, { words: event.target.value });
          if (ask.isError) ask.reset();
        }}
        onKeyDown={(event) => {
          sendOnEnter(event, send);
        }}
        className="block field-sizing-content max-h-48 min-h-20 w-full resize-none rounded-t-xl bg-transparent px-4 pt-3 pb-1 placeholder:text-ink-soft"
      />
      {ask.isError && (
        <div className="px-4 pb-2">
          <FormError id="plan-request-error" error={ask.error} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 px-2 pb-2">
        <Choice
          label={text.command}
          value={command?.fullName ?? ""}
          options={commands.map((each) => ({ id: each.fullName, label: commandLabel(each, overview?.local === true) }))}
          onChange={(name) => {
            change(id, { command: name });
          }}
        />
        {session === null && classes.length > 0 && (
          <Choice
            label={text.class}
            value={request.classId ?? ""}
            options={[
              { id: "", label: text.anyClass },
              ...classes.map((each) => ({ id: each.id, label: [each.id, each.subject].filter(Boolean).join(" · ") })),
            ]}
            onChange={(name) => {
              change(id, { classId: name === "" ? null : name });
            }}
          />
        )}
        <label className="flex min-h-11 cursor-pointer items-center gap-2 rounded-md px-2 text-base text-ink-soft hover:text-ink">
          <input
            type="checkbox"
            checked={request.memory}
            onChange={(event) => {
              change(id, { memory: event.target.checked });
            }}
            className="size-4.5 accent-accent"
          />
          {text.memory}
        </label>
        <Button type="submit" className="ml-auto" disabled={!canSend}>
          <SendHorizontal aria-hidden className="size-4" />
          {ask.isPending ? text.sending : text.send}
        </Button>
      </div>
      <p id="plan-request-hint" className="sr-only">
        {text.hint}
      </p>
    </form>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: { id: string; label: string }[];
  onChange: (id: string) => void;
}

function Choice({ label, value, options, onChange }: ChoiceProps): ReactNode {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => {
        onChange(event.target.value);
      }}
      className="min-h-11 max-w-52 min-w-0 cursor-pointer rounded-md bg-transparent px-2 text-base font-semibold text-ink-soft transition-colors hover:bg-line/60 hover:text-ink"
    >
      {options.map(({ id, label: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

// The commands one may choose from, and the one that is meant when nobody chooses.

const FIRST = "create-lesson";
const NEXT = "refine-lesson";

function commandLabel({ name, local }: PlanCommand, isLocal: boolean): string {
  const label = text.commands[name] ?? name;
  return isLocal && !local ? text.needsModel(label) : label;
}

/** What was chosen; else what one usually wants: a lesson at first, then changes to it. */
function chosenCommand(
  commands: PlanCommand[],
  chosen: string | null,
  session: PlanSession | null,
  lastRun: PlanRun | undefined,
): PlanCommand | undefined {
  const wanted = chosen ?? (session === null ? FIRST : lastRun?.lesson == null ? session.command : NEXT) ?? FIRST;
  const isWanted = ({ name, fullName }: PlanCommand): boolean => name === wanted || fullName === wanted;
  return commands.find(isWanted) ?? commands[0];
}

// Requests that are being written, one for each session; they outlive a look elsewhere, and a reload.

interface Request {
  words: string;
  /** The name of a command; null as long as nobody has chosen one. */
  command: string | null;
  classId: string | null;
  memory: boolean;
}

const EMPTY: Request = { words: "", command: null, classId: null, memory: true };

/** Where the request of a session that does not exist yet is kept. */
const NEW = "";

interface RequestStore {
  requests: Readonly<Record<string, Request>>;
  change: (session: string | null, changes: Partial<Request>) => void;
  /** Puts words into a new request, to be changed and sent. */
  begin: (request: Partial<Request>) => void;
  drop: (session: string | null) => void;
}

export const useRequest = create<RequestStore>()(
  persist(
    (set) => ({
      requests: {},
      change: (session, changes) => {
        const key = session ?? NEW;
        set(({ requests }) => ({ requests: { ...requests, [key]: { ...(requests[key] ?? EMPTY), ...changes } } }));
      },
      begin: (request) => {
        set(({ requests }) => ({ requests: { ...requests, [NEW]: { ...EMPTY, ...request } } }));
      },
      drop: (session) => {
        const key = session ?? NEW;
        set(({ requests }) => ({ requests: Object.fromEntries(Object.entries(requests).filter(([name]) => name !== key)) }));
      },
    }),
    { name: "paige-plan-requests", storage: createJSONStorage(() => sessionStorage) },
  ),
);

function requestOf(requests: RequestStore["requests"], session: string | null): Request {
  return requests[session ?? NEW] ?? EMPTY;
}
