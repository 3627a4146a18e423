/** The curriculum line that a text points at, with what is around it, beside the text. */

import { clsx } from "clsx";
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { Button, IconButton } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanLines } from "../../../wire/generated";
import { useAddress } from "../address";
import { useLines } from "../hooks";
import { useRoom } from "../../../ui/panes/sizes";
import type { Pointer } from "../../../ui/markdown/pointer";

const text = planStrings.evidence;

interface LinesPanelProps {
  pointer: Pointer;
  /** Without a document above it. */
  isAlone: boolean;
}

export function LinesPanel({ pointer, isAlone }: LinesPanelProps): ReactNode {
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
          {path} · {text.lines(start, end)}
        </h3>
        <IconButton label={text.close} onClick={close} className="text-ink hover:bg-card">
          <X aria-hidden className="size-5" />
        </IconButton>
      </div>
      {/* Long rows wrap, so it scrolls one way only; the keyboard must be able to scroll it. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className="relative min-h-0 overflow-auto px-5 pb-4" tabIndex={0} role="group" aria-label={text.linesHeading(path)}>
        <Lines pointer={pointer} />
        <Button
          look="quiet"
          className="mt-3"
          onClick={() => {
            openFile(path, start);
          }}
        >
          {text.openFile}
        </Button>
      </div>
    </aside>
  );
}

function Lines({ pointer }: { pointer: Pointer }): ReactNode {
  const found = useLines(pointer);
  if (found.data !== undefined) return <Rows lines={found.data} />;
  if (found.isError) return <QueryError title={text.failed} query={found} />;
  return (
    <Loading label={text.loading}>
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
              {isCited && <span className="sr-only">{text.cited}: </span>}
              {line}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
