/** What somebody asked for: to read, to change, to ask again; and what was asked there instead. */

import { clsx } from "clsx";
import { ChevronLeft, ChevronRight, Pencil, RotateCcw } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import { Button, IconButton } from "../../../ui/button";
import { FormError } from "../../../ui/forms/field";
import { notifyError } from "../../../ui/toasts";
import type { PlanPlace, PlanRun } from "../../../wire/generated";
import { useAddress } from "../address";
import { useBranch } from "../hooks";
import { planStrings } from "../strings";
import { awaitNext } from "./focus";
import { useConversing } from "./reading-place";

const text = planStrings.branches;
const QUIET = "text-ink-soft hover:bg-line hover:text-ink";

export function RequestView({ run }: { run: PlanRun }): ReactNode {
  const isEdited = useEdits(({ edits }) => edits[run.id] !== undefined);
  const branches = useConversing().branches[run.id];
  const edit = useRef<HTMLButtonElement>(null);
  if (isEdited) {
    return (
      <EditRequest
        run={run}
        onCancelled={() => {
          requestAnimationFrame(() => edit.current?.focus());
        }}
      />
    );
  }
  return (
    <div className="-mb-3 flex flex-col items-end gap-0.5">
      <div className="rounded-xl rounded-br-sm bg-cover px-4 py-2.5 sm:max-w-[85%]">
        <h3 className="sr-only">{planStrings.chat.you}</h3>
        <p data-part="prompt" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
          {run.prompt}
        </p>
      </div>
      <div className="flex items-center gap-0.5 text-base">
        {branches !== undefined && <Branches run={run} places={branches} />}
        {/* While Paige works on it there is one thing to do: stop it. They keep their place: nothing below moves. */}
        <div className={clsx("flex", run.state === "running" && "invisible")}>
          <IconButton
            ref={edit}
            data-grows
            label={text.edit}
            className={QUIET}
            onClick={() => {
              useEdits.getState().change(run.id, run.prompt);
              focusEdit(run);
            }}
          >
            <Pencil aria-hidden className="size-4" />
          </IconButton>
          <AskAgain run={run} />
        </div>
      </div>
    </div>
  );
}

function AskAgain({ run }: { run: PlanRun }): ReactNode {
  const { openSession } = useAddress();
  const branch = useBranch(({ session }) => {
    openSession(session);
  });
  return (
    <IconButton
      label={text.askAgain}
      className={QUIET}
      aria-busy={branch.isPending}
      onClick={() => {
        if (branch.isPending) return;
        awaitNext();
        branch.mutate(
          { run: run.id, input: null },
          {
            onError: (error) => {
              notifyError(text.askAgainFailed, error);
            },
          },
        );
      }}
    >
      <RotateCcw aria-hidden className={clsx("size-4", branch.isPending && "animate-spin")} />
    </IconButton>
  );
}

function Branches({ run, places }: { run: PlanRun; places: PlanPlace[] }): ReactNode {
  const { openSession } = useAddress();
  const { place } = useConversing();
  const group = useRef<HTMLDivElement>(null);
  const at = places.findIndex((each) => each.run === run.id);
  const choose = (way: Way): void => {
    const chosen = places[way === "next" ? at + 1 : at - 1];
    if (chosen === undefined) return;
    const row = group.current?.closest<HTMLElement>("[data-row]");
    if (row !== null && row !== undefined) {
      landAt({ session: sessionOf(chosen), row: Number(row.dataset.row), offset: place.offsetOf(row), way });
    }
    openSession(sessionOf(chosen));
  };
  const chooseByKey = (event: KeyboardEvent): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowLeft") choose("previous");
    else if (event.key === "ArrowRight") choose("next");
    else return;
    event.preventDefault();
  };
  const button = (way: Way, isThere: boolean): ReactNode => {
    const Icon = way === "next" ? ChevronRight : ChevronLeft;
    return (
      <IconButton
        data-way={way}
        label={way === "next" ? text.next : text.previous}
        // Not disabled: the focus stays, and the arrow keys still work.
        aria-disabled={!isThere}
        className={clsx(QUIET, !isThere && "opacity-40")}
        onClick={() => {
          choose(way);
        }}
        onKeyDown={chooseByKey}
      >
        <Icon aria-hidden className="size-4" />
      </IconButton>
    );
  };
  return (
    <div ref={group} role="group" aria-label={text.group} data-branches={run.id} className="flex items-center">
      {button("previous", at > 0)}
      <span className="min-w-12 text-center text-ink-soft tabular-nums">{text.count(at + 1, places.length)}</span>
      {button("next", at < places.length - 1)}
    </div>
  );
}

// A request that is said differently: it is asked in a branch, and what was said before stays.

function editId({ id }: PlanRun): string {
  return `plan-edit-${id}`;
}

/** Writes go into it, and all of it is in sight. */
function focusEdit(run: PlanRun): void {
  requestAnimationFrame(() => {
    const words = document.getElementById(editId(run));
    words?.focus({ preventScroll: true });
    words?.closest("form")?.scrollIntoView({ block: "nearest" });
  });
}

interface EditRequestProps {
  run: PlanRun;
  onCancelled: () => void;
}

function EditRequest({ run, onCancelled }: EditRequestProps): ReactNode {
  const id = editId(run);
  const words = useEdits(({ edits }) => edits[run.id]) ?? "";
  const { change, drop } = useEdits.getState();
  const { openSession } = useAddress();
  const branch = useBranch(({ session }) => {
    drop(run.id);
    openSession(session);
  });
  const canSend = words.trim() !== "" && !branch.isPending;
  const send = (): void => {
    if (!canSend) return;
    awaitNext();
    branch.mutate({ run: run.id, input: words.trim() });
  };
  const cancel = (): void => {
    drop(run.id);
    onCancelled();
  };
  const sendByKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="ml-auto w-full scroll-my-4 rounded-xl rounded-br-sm border border-edge bg-card focus-within:border-accent max-lg:scroll-mb-24 sm:max-w-[85%]"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {text.editLabel}
      </label>
      <textarea
        id={id}
        rows={2}
        value={words}
        aria-describedby={branch.isError ? `${id}-error` : `${id}-hint`}
        aria-invalid={branch.isError}
        onChange={(event) => {
          change(run.id, event.target.value);
          if (branch.isError) branch.reset();
        }}
        onKeyDown={sendByKey}
        className="block field-sizing-content max-h-80 min-h-16 w-full resize-none rounded-t-xl bg-transparent px-4 pt-3 pb-1"
      />
      {branch.isError && (
        <div className="px-4 pb-2">
          <FormError id={`${id}-error`} error={branch.error} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 px-3 pt-2.5 pb-3">
        <p id={`${id}-hint`} className="mr-auto min-w-48 flex-1 px-1 text-base text-ink-soft">
          {text.editHint}
        </p>
        <Button look="quiet" onClick={cancel}>
          {text.editCancel}
        </Button>
        <Button type="submit" disabled={!canSend}>
          {branch.isPending ? planStrings.composer.sending : text.editSend}
        </Button>
      </div>
    </form>
  );
}

// Ways between branches: where one lands, which branch one saw last, and changed requests that are not sent yet.

/** In which session somebody looked at a run last: what follows it may have branches too. */
const seenIn = new Map<string, string>();

export function noteSeen(session: string, runs: readonly (PlanRun | null)[]): void {
  for (const run of runs) if (run !== null) seenIn.set(run.id, session);
}

/** The session that shows a branch as it was left. */
function sessionOf({ session, run }: PlanPlace): string {
  return seenIn.get(run) ?? session;
}

/** Where one was when one chose another branch. What comes before is the same in both: so is the row. */
interface Landing {
  session: string;
  row: number;
  offset: number;
  way: Way;
}

type Way = "previous" | "next";

let landing: Landing | null = null;

function landAt(place: Landing): void {
  landing = place;
}

export function takeLanding(session: string): Landing | null {
  const taken = landing?.session === session ? landing : null;
  landing = null;
  return taken;
}

interface EditsStore {
  /** The words so far, for each run whose request is being changed. */
  edits: Readonly<Record<string, string>>;
  change: (run: string, words: string) => void;
  drop: (run: string) => void;
}

/** They outlive a look elsewhere, and a reload. */
export const useEdits = create<EditsStore>()(
  persist(
    (set) => ({
      edits: {},
      change: (run, words) => {
        set(({ edits }) => ({ edits: { ...edits, [run]: words } }));
      },
      drop: (run) => {
        set(({ edits }) => ({ edits: Object.fromEntries(Object.entries(edits).filter(([id]) => id !== run)) }));
      },
    }),
    { name: "paige-plan-edits", storage: createJSONStorage(() => sessionStorage) },
  ),
);
