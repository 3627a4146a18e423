/** A saved lesson as a page of a book: what it is about, how the time is spent, and every section. */

import { Download as DownloadIcon, MessageSquareText, TriangleAlert } from "lucide-react";
import { lexer, type Token, type Tokens } from "marked";
import { type MouseEvent, type ReactNode, useMemo, useState } from "react";

import { useServices } from "../../../services";
import { Button, PrintButton, useDownload } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import {
  Blocks,
  EVIDENCE_LOOKS,
  EvidenceContext,
  type EvidenceState,
  evidenceState,
  plainText,
  PointerLink,
} from "../../../ui/markdown";
import { Marked } from "../../../ui/marked";
import { Menu, MenuItem } from "../../../ui/menu";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanEvidence, PlanLesson } from "../../../wire/generated";
import { useAddress } from "../address";
import { exportAddress, type ExportFormat, EXPORTS } from "../api";
import { useRequest } from "../chat/composer";
import { useLesson } from "../hooks";
import { planStrings } from "../strings";

const text = planStrings.document;

export function LessonView({ path }: { path: string }): ReactNode {
  const found = useLesson(path);
  if (found.data === undefined) {
    if (found.isError) {
      return (
        <div className="px-5 pb-5">
          <QueryError title={text.failed} query={found} />
        </div>
      );
    }
    return (
      <Loading label={text.loading}>
        <Skeleton className="m-5 h-10 w-2/3" />
        <Skeleton className="m-5 h-80" />
      </Loading>
    );
  }
  if (found.data === null) {
    return (
      <p role="status" className="p-5">
        {text.gone}
      </p>
    );
  }
  return <Lesson lesson={found.data} />;
}

function Lesson({ lesson }: { lesson: PlanLesson }): ReactNode {
  const { facts, body } = useMemo(() => parts(lesson.text), [lesson.text]);
  return (
    <EvidenceContext value={lesson.evidence}>
      <article data-printed aria-label={lesson.title} className="mx-auto max-w-180 px-5 pt-5 pb-10 max-lg:px-0 sm:px-8">
        <h3 className="text-2xl sm:text-3xl">{lesson.title}</h3>
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-base text-ink-soft">
          {facts.map(({ name, value }) => (
            <li key={name}>
              {name} <span className="font-semibold text-ink">{value}</span>
            </li>
          ))}
        </ul>
        <div data-unprinted>
          <LessonActions lesson={lesson} />
          <Faults lesson={lesson} />
        </div>
        <TimeBar titles={lesson.sections.map(({ title }) => title)} />
        <EvidenceSummary evidence={lesson.evidence} />
        <div className="prose mt-6">
          <Body tokens={body} />
        </div>
      </article>
    </EvidenceContext>
  );
}

/** Headings of sections with their minutes set apart; everything else as it is. */
function Body({ tokens }: { tokens: Token[] }): ReactNode {
  return tokens.map((token, place) => {
    if (token.type !== "heading" || token.depth !== 2) return <Blocks key={place} tokens={[token]} deeper={2} />;
    const { name, minutes } = splitMinutes(plainText((token as Tokens.Heading).tokens));
    return (
      <h4 key={place} data-depth={2} className="flex items-baseline justify-between gap-4 border-t border-rule pt-4">
        {name}
        {minutes !== null && (
          <span className="shrink-0 font-sans text-base font-normal text-ink-soft">{text.minutes(minutes)}</span>
        )}
      </h4>
    );
  });
}

interface Parts {
  facts: { name: string; value: string }[];
  body: Token[];
}

/** The facts are the list between the title and the first section. */
function parts(markdown: string): Parts {
  const tokens = lexer(markdown).filter(({ type }) => type !== "space");
  const [first, second] = tokens;
  const hasTitle = first?.type === "heading" && first.depth === 1;
  const list = hasTitle && second?.type === "list" ? (second as Tokens.List) : null;
  const facts = list?.items.map(({ text: line }) => /^([^:]+):\s*(.*)$/.exec(line)) ?? [];
  const areFacts = facts.length > 0 && facts.every((fact) => fact !== null);
  return {
    facts: areFacts ? facts.map(([, name = "", value = ""]) => ({ name, value })) : [],
    body: tokens.slice((hasTitle ? 1 : 0) + (areFacts ? 1 : 0)),
  };
}

/** What can be done with a lesson: take it along, print it, ask for changes. */
function LessonActions({ lesson }: { lesson: PlanLesson }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      <ExportMenu path={lesson.path} />
      <PrintButton words={text.print} />
      <RefineButton lesson={lesson} />
    </div>
  );
}

function ExportMenu({ path }: { path: string }): ReactNode {
  const { plan } = useServices().api;
  const [isOpen, setIsOpen] = useState(false);
  const { isBusy, download } = useDownload(text, (to: ExportFormat) => plan.download(path, to));
  return (
    <Menu
      label={text.exportMenu}
      look="primary"
      isBusy={isBusy}
      open={isOpen}
      onOpenChange={setIsOpen}
      button={
        <>
          <DownloadIcon aria-hidden className="size-4" />
          {isBusy ? text.exporting : text.export}
        </>
      }
    >
      {EXPORTS.map((to) => (
        <MenuItem key={to} asChild>
          <a
            href={exportAddress(path, to)}
            download
            onClick={(event: MouseEvent) => {
              // A plain click is told why a file cannot be made; the link itself can be opened and copied.
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              setIsOpen(false);
              download(to);
            }}
          >
            {text.formats[to]}
          </a>
        </MenuItem>
      ))}
    </Menu>
  );
}

function RefineButton({ lesson }: { lesson: PlanLesson }): ReactNode {
  const { go } = useAddress();
  const { begin } = useRequest.getState();
  if (!lesson.path.startsWith("lessons/")) return null;
  return (
    <Button
      look="quiet"
      onClick={() => {
        begin({ command: "refine-lesson", words: text.refineRequest(lesson.path), classId: lesson.classId });
        go({ session: null, pane: null });
      }}
    >
      <MessageSquareText aria-hidden className="size-4" />
      {text.refine}
    </Button>
  );
}

const evidenceText = planStrings.evidence;

/** Whether the curriculum claims of a lesson can be relied on, at a glance and one by one. */
function EvidenceSummary({ evidence }: { evidence: PlanEvidence[] }): ReactNode {
  if (evidence.length === 0) return null;
  const count = (state: EvidenceState): number => evidence.filter((each) => evidenceState(each) === state).length;
  const worst = (["broken", "unverified", "holds"] as const).find((state) => count(state) > 0) ?? "holds";
  const { icon: Icon, color } = EVIDENCE_LOOKS[worst];
  const says = [
    evidenceText.holds(count("holds") + count("unverified")),
    count("unverified") > 0 ? evidenceText.unverified(count("unverified")) : "",
    count("broken") > 0 ? evidenceText.broken(count("broken")) : "",
  ];
  return (
    <details className="mt-5 rounded-lg border border-line px-4 py-2.5" open={worst === "broken"}>
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-2.5 hover:text-accent">
        <Icon aria-hidden className={`size-5 shrink-0 ${color}`} />
        <span className="font-semibold">{evidenceText.heading}</span>
        <span className="text-ink-soft">{says.filter((part) => part !== "").join(" · ")}</span>
      </summary>
      <ul className="mt-3 flex flex-col gap-3 pb-1">
        {evidence.map((each, place) => (
          <li key={place}>
            <Row evidence={each} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Row({ evidence }: { evidence: PlanEvidence }): ReactNode {
  const { code, file, start, end, quote, grade, reason } = evidence;
  const state = evidenceState(evidence);
  return (
    <>
      {start === null || end === null ? (
        <strong>{code}</strong>
      ) : (
        <PointerLink pointer={{ path: file, start, end }} code={code} />
      )}
      {quote !== "" && <span> “{quote}”</span>}
      {state === "broken" && reason !== null && <Marked className="block text-fail" text={reason} />}
      {state === "unverified" && <span className="block text-ink-soft">{evidenceText.unverifiedHint(grade ?? "?")}</span>}
    </>
  );
}

/** More of them are folded away: they would stand before the lesson like a wall. */
const FEW = 3;

/** What a lesson still lacks before it is used. */
function Faults({ lesson: { path, faults } }: { lesson: PlanLesson }): ReactNode {
  const { openFile } = useAddress();
  if (faults.length === 0) return null;
  return (
    <details
      open={faults.length <= FEW}
      className="mt-5 rounded-lg border border-l-4 border-line border-l-warn bg-paper px-4 py-2.5"
    >
      <summary className="flex cursor-pointer items-center gap-2.5 hover:text-accent">
        <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
        <span className="font-semibold">{text.faults}</span>
        <span className="text-ink-soft">{text.faultCount(faults.length)}</span>
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5 pb-1 text-base">
        {faults.map(({ line, message }, place) => (
          <li key={place} className="flex items-baseline gap-3">
            {line !== null && (
              <button
                type="button"
                className="prose-link shrink-0"
                onClick={() => {
                  openFile(path, line);
                }}
              >
                {text.line(line)}
              </button>
            )}
            <Marked text={message} />
          </li>
        ))}
      </ul>
    </details>
  );
}

// How the minutes of a lesson are spent, as one bar and in words.

/** A title without its `(8 min)`, and the minutes. */
export function splitMinutes(title: string): { name: string; minutes: number | null } {
  const found = /^(.*?)\s*\((\d{1,3}) min\)$/.exec(title.trim());
  return found === null ? { name: title, minutes: null } : { name: found[1] ?? title, minutes: Number(found[2]) };
}

function TimeBar({ titles }: { titles: string[] }): ReactNode {
  const parts = titles.map(splitMinutes).filter(({ minutes }) => minutes !== null && minutes > 0);
  if (parts.length === 0) return null;
  const total = parts.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0);
  return (
    <figure className="mt-6 break-inside-avoid">
      <figcaption className="flex justify-between text-base text-ink-soft">
        <span>{text.time}</span>
        <span>{text.total(total)}</span>
      </figcaption>
      <div aria-hidden className="mt-1.5 flex gap-0.5">
        {parts.map(({ minutes }, place) => (
          <span key={place} style={{ flex: `${minutes ?? 0} 1 0` }} className={`h-2.5 rounded-xs ${shade(place)}`} />
        ))}
      </div>
      <ol className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-base">
        {parts.map(({ name, minutes }, place) => (
          <li key={place} title={name} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-xs ${shade(place)}`} />
            {shortName(name)} <span className="text-ink-soft">{text.minutes(minutes ?? 0)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function shade(place: number): string {
  return place % 2 === 0 ? "bg-spine" : "bg-spine/55";
}

/** "Learning cycle 1: Counting" says "Cycle 1" under a narrow bar. */
function shortName(name: string): string {
  const [, number] = /^learning cycle (\d+)/i.exec(name) ?? [];
  return number === undefined ? name : `Cycle ${number}`;
}
