/** One decision: what was wanted, what came of it and why; opened, everything that is known about it. */

import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "wouter";

import { GUARD_PATHS } from "../../routes";
import { Button } from "../../ui/button";
import { CommandText } from "../../ui/data/command-text";
import { When } from "../../ui/data/when";
import { Marked } from "../../ui/marked";
import { notify, notifyError } from "../../ui/toasts";
import type { GuardEntry } from "../../wire/generated";
import { useAddress } from "./address";
import { VerdictMark } from "./marks";
import { guardStrings } from "./strings";

const text = guardStrings.row;
const LEARNED = "guard:";

interface DecisionRowProps {
  entry: GuardEntry;
  isOpen: boolean;
  isNew: boolean;
}

export function DecisionRow({ entry, isOpen, isNew }: DecisionRowProps): ReactNode {
  const { go } = useAddress();
  const body = `decision-${entry.id}`;
  const isStopped = entry.verdict !== "passed";
  return (
    <li className={clsx("border-l-4", isOpen ? "border-l-accent bg-card" : isNew ? "border-l-spine" : "border-l-transparent")}>
      <button
        type="button"
        data-decision
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        onClick={() => {
          go({ id: isOpen ? null : entry.id }, { replace: true });
        }}
        onKeyDown={moveWithArrows}
        className="group flex w-full gap-2 py-2.5 pr-2 pl-2 text-left transition-colors hover:bg-card"
      >
        <ChevronRight aria-hidden className={clsx("mt-1 size-5 shrink-0 text-ink-soft transition-transform", isOpen && "rotate-90")} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-3">
            <VerdictMark verdict={entry.verdict} />
            <Subject entry={entry} />
          </span>
          {isStopped && entry.reason !== "" && !isOpen && <Marked className="mt-0.5 line-clamp-2 block" text={entry.reason} />}
          <span className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
            {isNew && <span className="font-semibold text-door-ink">{guardStrings.list.isNew}</span>}
            <When as="recent" at={entry.at} />
            <span>{guardStrings.clis[entry.cli] ?? entry.cli}</span>
            {entry.rule !== "" && <span className="[overflow-wrap:anywhere]">{entry.rule}</span>}
          </span>
        </span>
      </button>
      {isOpen && (
        <div id={body} className="pr-3 pb-4 pl-9">
          <Details entry={entry} />
        </div>
      )}
    </li>
  );
}

/** What it is about, as text: nothing in it is taken for markup. */
function Subject({ entry }: { entry: GuardEntry }): ReactNode {
  if (entry.subject === "") {
    return <span className="min-w-0 text-ink-soft">{guardStrings.events[entry.event] ?? entry.hostEvent}</span>;
  }
  return (
    <span className="line-clamp-2 min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
      {!entry.isCommand && entry.tool !== "" && <span className="text-ink-soft">{entry.tool} </span>}
      <code className="text-[0.95em]">{entry.subject}</code>
    </span>
  );
}

function Details({ entry }: { entry: GuardEntry }): ReactNode {
  return (
    <>
      {entry.subject !== "" && <CommandText text={entry.subject} />}
      <dl className="mt-3 text-base">
        {entry.reason !== "" && <Fact name={text.reason}>{<Marked text={entry.reason} />}</Fact>}
        {entry.instead !== "" && <Fact name={text.instead}>{<Marked text={entry.instead} />}</Fact>}
        <Fact name={text.rule}>{entry.rule === "" ? text.noRule : <Rule rule={entry.rule} />}</Fact>
        {entry.tool !== "" && <Fact name={text.tool}>{entry.tool}</Fact>}
        <Fact name={text.event}>
          {guardStrings.events[entry.event] ?? entry.event}
          {entry.hostEvent !== "" && ` (${entry.hostEvent})`}
        </Fact>
        {entry.cwd !== "" && <Fact name={text.cwd}>{<code className="text-[0.95em]">{entry.cwd}</code>}</Fact>}
        {entry.agent !== "" && <Fact name={text.agent}>{entry.agent}</Fact>}
        {entry.mode !== "" && <Fact name={text.mode}>{entry.mode}</Fact>}
        {entry.session !== "" && <Fact name={text.session}>{entry.session}</Fact>}
        <Fact name={text.id}>{<code className="text-[0.95em]">{entry.id}</code>}</Fact>
      </dl>
      <Actions entry={entry} />
    </>
  );
}

/** A guard that was learned has a page of its own: where it came from, and whom else it stopped. */
function Rule({ rule }: { rule: string }): ReactNode {
  const words = <code className="text-[0.95em]">{rule}</code>;
  if (!rule.startsWith(LEARNED)) return words;
  return (
    <Link href={`${GUARD_PATHS.guards}?id=${encodeURIComponent(rule.slice(LEARNED.length))}`} className="text-accent underline">
      {words}
    </Link>
  );
}

function Actions({ entry }: { entry: GuardEntry }): ReactNode {
  const { go } = useAddress();
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {entry.isCommand && entry.subject !== "" && (
        <>
          <Button
            look="quiet"
            onClick={() => {
              go({ tab: "explain", command: entry.subject, cwd: entry.cwd });
            }}
          >
            {text.explain}
          </Button>
          <Button look="quiet" onClick={() => void copy(entry.subject)}>
            {text.copy}
          </Button>
        </>
      )}
      {entry.rule !== "" && (
        <Button
          look="quiet"
          onClick={() => {
            go({ rule: entry.rule }, { replace: true });
          }}
        >
          {text.onlyRule}
        </Button>
      )}
      {entry.session !== "" && (
        <Button
          look="quiet"
          onClick={() => {
            go({ session: entry.session }, { replace: true });
          }}
        >
          {text.onlySession}
        </Button>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 border-b border-rule py-1 last:border-0">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command);
    notify(text.copied);
  } catch {
    notifyError(text.copyFailed, { message: text.copyFailed, hint: text.copyFailedHint });
  }
}

/** The arrow keys go through the list. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-decision]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  rows[at + step]?.focus();
}
