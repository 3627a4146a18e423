/** The right side: a lesson to read or a file to change, and the curriculum line that was asked for. */

import { clsx } from "clsx";
import { BookOpenText, PenLine, X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { locale, words } from "../../../locale/words";
import { Button, IconButton } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import type { Pointer } from "../../../ui/markdown";
import { useRoom } from "../../../ui/panes/sizes";
import { ShareBars, type ShareRow } from "../../../ui/plots/bars";
import { Section } from "../../../ui/section";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { ClassMisconception, PlanLines } from "../../../wire/generated";
import { useAddress } from "../address";
import { useClassErrors, useLines } from "../hooks";
import { planStrings } from "../strings";
import { rowId } from "../workspace";
import { FileEditor } from "./file-editor";
import { LessonView } from "./lesson-view";

/** The words about what a class gets wrong. */
export const classStrings = words("planClass", {
  heading: (id: string) => `What ${id} gets wrong`,
  lead: (fewest: number) => `Shown from ${fewest} learners on, never by name. The next lesson plan takes it up.`,
  none: (fewest: number) => `Nothing that ${fewest} learners get wrong is known.`,
  caption: (id: string) => `What learners of ${id} get wrong, the most frequent first`,
  columns: ["What goes wrong", "Learners"] as [string, string],
  learners: (count: number) => `${count} learners`,
  name: (title: string, idea: string) => `${title}: ${idea}`,
  example: (text: string) => `As in ${text}.`,
  since: (day: string) => `Since ${day}.`,
  failed: "What the class gets wrong could not be read",
});

const text = planStrings.document;

export function DocumentPane(): ReactNode {
  const { file, line, lesson, lines } = useAddress();
  const path = lesson ?? file;
  const classId = path === null ? null : classOf(path);
  return (
    <div className="flex h-full min-h-0 flex-col">
      {path !== null && <Bar key={path} path={path} isLesson={lesson !== null} />}
      {path !== null && (
        <div className="relative min-h-0 flex-1 lg:overflow-auto">
          {lesson === null ? <FileEditor path={path} line={line} /> : <LessonView path={path} />}
        </div>
      )}
      {classId !== null && (
        <div className="shrink-0 border-t border-line lg:max-h-[45%] lg:overflow-auto">
          <ClassErrors key={classId} classId={classId} />
        </div>
      )}
      {lines !== null && <LinesPanel pointer={lines} isAlone={path === null} />}
    </div>
  );
}

function Bar({ path, isLesson }: { path: string; isLesson: boolean }): ReactNode {
  const { openFile, openLesson, closeDocument } = useAddress();
  const heading = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) return;
    isFirst.current = false;
    // Opened with the keyboard or the mouse: tell readers which document it is. A reload takes no focus.
    if (document.activeElement !== document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  const isReadable = /^(lessons|units|worksheets)\/.*\.md$/.test(path);
  return (
    <div data-unprinted className="flex shrink-0 items-center gap-1 border-b border-line py-1.5 pr-1.5 pl-5 max-lg:pl-0">
      <h2 ref={heading} tabIndex={-1} className="mr-auto min-w-0 truncate font-sans text-base text-ink-soft outline-none" title={path}>
        {path}
      </h2>
      {isReadable && (
        <Button
          look="quiet"
          onClick={() => {
            if (isLesson) openFile(path);
            else openLesson(path);
          }}
        >
          {isLesson ? <PenLine aria-hidden className="size-4" /> : <BookOpenText aria-hidden className="size-4" />}
          {isLesson ? text.edit : text.read}
        </Button>
      )}
      <IconButton
        label={text.close}
        onClick={() => {
          closeDocument();
          returnFocus(path);
        }}
      >
        <X aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}

/** To where the document was opened, if that is still shown. */
function returnFocus(path: string): void {
  requestAnimationFrame(() => {
    const row = document.getElementById(rowId(path));
    if (row?.checkVisibility() === true) row.focus({ preventScroll: true });
    else document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
  });
}

const evidenceText = planStrings.evidence;

interface LinesPanelProps {
  pointer: Pointer;
  /** Without a document above it. */
  isAlone: boolean;
}

/** The curriculum line that a text points at, with what is around it, beside the text. */
function LinesPanel({ pointer, isAlone }: LinesPanelProps): ReactNode {
  const { go, openFile } = useAddress();
  const heading = useRef<HTMLHeadingElement>(null);
  const opener = useRef<Element | null>(null);
  const { path, start, end } = pointer;
  const room = useRoom();
  useEffect(() => {
    if (document.activeElement === document.body) return;
    if (document.activeElement !== heading.current) opener.current = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    // What points here stays in view beside it: the panel has taken room from it, or lies over it.
    opener.current?.scrollIntoView({ block: room === "narrow" ? "start" : "nearest" });
  }, [path, start, end, room]);
  const close = (): void => {
    go({ lines: null, ...(isAlone && { pane: null }) }, { replace: true });
    requestAnimationFrame(() => {
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true });
    });
  };
  return (
    // Escape closes it from everywhere inside, as it closes a dialog.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      data-unprinted
      aria-labelledby="plan-lines-heading"
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
      className={clsx(
        "flex shrink-0 flex-col bg-cover max-lg:sticky max-lg:bottom-16 max-lg:-mx-4 max-lg:h-[45dvh] md:max-lg:bottom-0",
        isAlone ? "lg:flex-1" : "border-t-2 border-spine lg:h-[45%]",
      )}
    >
      <div className="flex items-center gap-2 py-1 pr-1.5 pl-5">
        <h3 id="plan-lines-heading" ref={heading} tabIndex={-1} className="mr-auto min-w-0 font-sans text-base font-semibold [overflow-wrap:anywhere] outline-none">
          {path} · {evidenceText.lines(start, end)}
        </h3>
        <IconButton label={evidenceText.close} onClick={close} className="text-ink hover:bg-card">
          <X aria-hidden className="size-5" />
        </IconButton>
      </div>
      {/* Long rows wrap, so it scrolls one way only; the keyboard must be able to scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="relative min-h-0 overflow-auto px-5 pb-4" tabIndex={0} role="group" aria-label={evidenceText.linesHeading(path)}>
        <Lines pointer={pointer} />
        <Button
          look="quiet"
          className="mt-3"
          onClick={() => {
            openFile(path, start);
          }}
        >
          {evidenceText.openFile}
        </Button>
      </div>
    </aside>
  );
}

function Lines({ pointer }: { pointer: Pointer }): ReactNode {
  const found = useLines(pointer);
  if (found.data !== undefined) return <Rows lines={found.data} />;
  if (found.isError) return <QueryError title={evidenceText.failed} query={found} />;
  return (
    <Loading label={evidenceText.loading}>
      <Skeleton className="h-24" />
    </Loading>
  );
}

function Rows({ lines: { first, start, end, lines } }: { lines: PlanLines }): ReactNode {
  const cited = useRef<HTMLLIElement>(null);
  useEffect(() => {
    // Only the panel moves, not the page around it.
    const panel = cited.current?.closest("[role=group]");
    if (cited.current !== null && panel) panel.scrollTop = cited.current.offsetTop - panel.clientHeight / 3;
  }, [start]);
  return (
    <ol className="rounded-md border border-line bg-card py-2 text-base">
      {lines.map((line, place) => {
        const number = first + place;
        const isCited = number >= start && number <= end;
        return (
          <li key={number} ref={number === start ? cited : undefined} className={clsx("flex gap-3 px-3 py-0.5", isCited && "bg-chalk/25 font-semibold")}>
            <span className={clsx("w-8 shrink-0 text-right tabular-nums", !isCited && "text-ink-soft")}>{number}</span>
            <span className="min-w-0 whitespace-pre-wrap">
              {isCited && <span className="sr-only">{evidenceText.cited}: </span>}
              {line}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

// What many learners of a class get wrong, below its profile; there is nobody's name in it.

const PROFILE = /^classes\/([^/]+)\.md$/;

/** The class whose profile a path is, if it is one. */
export function classOf(path: string): string | null {
  return PROFILE.exec(path)?.[1] ?? null;
}

function ClassErrors({ classId }: { classId: string }): ReactNode {
  const found = useClassErrors(classId);
  if (found.isError) return <QueryError title={classStrings.failed} query={found} />;
  if (found.data === undefined) return null;
  const { misconceptions, fewest } = found.data;
  const most = Math.max(1, ...misconceptions.map(({ learners }) => learners));
  return (
    <Section heading={classStrings.heading(classId)} lead={misconceptions.length === 0 ? classStrings.none(fewest) : classStrings.lead(fewest)} isSmall className="px-5 py-4 max-lg:px-0">
      {misconceptions.length > 0 && (
        <ShareBars caption={classStrings.caption(classId)} columns={classStrings.columns} rows={misconceptions.map((each) => rowOf(each, most))} isWordy />
      )}
    </Section>
  );
}

function rowOf(each: ClassMisconception, most: number): ShareRow {
  return {
    id: `${each.concept}/${each.kind}/${each.example}`,
    name: classStrings.name(each.title, each.idea),
    note: noteOf(each),
    share: each.learners / most,
    shown: classStrings.learners(each.learners),
  };
}

function noteOf({ example, helps, since }: ClassMisconception): string {
  const day = since === null ? null : new Date(since).toLocaleDateString(locale(), { day: "numeric", month: "long", year: "numeric" });
  const parts = [example === "" ? "" : classStrings.example(example), ...helps, day === null ? "" : classStrings.since(day)];
  return parts.filter((part) => part !== "").join(" ");
}
