/** The run told again: one moment at a time, forward and back with a slider, buttons or keys. */

import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { stepStrings } from "../../../strings-trace-steps";
import { Answered } from "../../../ui/answered";
import { IconButton } from "../../../ui/button";
import { Empty } from "../../../ui/empty";
import { Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import type { TraceMoment, TraceMoments } from "../../../wire/generated";
import { useMomentOf, useMoments } from "../hooks";
import { MomentView } from "./moment-view";

const text = stepStrings.replay;

interface ReplayProps {
  id: string;
  /** The number of the moment, from 0. */
  at: number;
  /** A step whose moment is wanted instead. */
  step: string | null;
  goTo: (at: number) => void;
  onTree: (step: string) => void;
}

export function Replay({ id, at, step, goTo, onTree }: ReplayProps): ReactNode {
  const wanted = useMomentOf(id, step);
  const found = wanted.data;
  useEffect(() => {
    if (step !== null && found !== undefined) goTo(found);
  }, [step, found, goTo]);
  const moments = useMoments(id, at);
  // The page beside this one is read ahead, so that going on never waits.
  const last = Math.max((moments.data?.total ?? 1) - 1, 0);
  useMoments(id, Math.min(at + 10, last));
  return (
    <Section heading={text.heading} lead={text.lead} className="">
      <Answered query={moments} words={text} skeleton={<Skeleton className="h-96" />}>
        {(page) =>
          page.total === 0 ? (
            <Empty title={text.none} hint={text.noneHint} />
          ) : (
            <Player page={page} at={Math.min(at, page.total - 1)} isBusy={moments.isPlaceholderData} goTo={goTo} onTree={onTree} />
          )
        }
      </Answered>
    </Section>
  );
}

interface PlayerProps extends Pick<ReplayProps, "at" | "goTo" | "onTree"> {
  page: TraceMoments;
  isBusy: boolean;
}

function Player({ page, at, isBusy, goTo, onTree }: PlayerProps): ReactNode {
  const box = useRef<HTMLDivElement | null>(null);
  const last = page.total - 1;
  const moment = page.moments.find(({ number }) => number === at);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const onKey = (event: KeyboardEvent): void => {
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      // A box of text needs its keys itself.
      const isText = event.target instanceof Element && event.target.closest("[role=group][tabindex]") !== null;
      if (to === undefined || isText || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      goTo(Math.min(Math.max(to, 0), last));
    };
    element.addEventListener("keydown", onKey);
    return () => {
      element.removeEventListener("keydown", onKey);
    };
  }, [at, last, goTo]);
  const place = text.place(at + 1, page.total);
  const words = moment === undefined ? place : `${place}: ${titleOf(moment)}`;
  return (
    <div ref={box} aria-busy={isBusy}>
      <div data-unprinted className="flex flex-wrap items-center gap-x-2">
        <Go icon={ChevronFirst} label={text.first} isOff={at === 0} onGo={() => { goTo(0); }} />
        <Go icon={ChevronLeft} label={text.back} isOff={at === 0} onGo={() => { goTo(at - 1); }} />
        <input
          type="range"
          min={1}
          max={page.total}
          value={at + 1}
          aria-label={text.slider}
          aria-valuetext={words}
          onChange={(event) => {
            goTo(Number(event.target.value) - 1);
          }}
          className="h-11 min-w-24 flex-1 cursor-pointer accent-accent"
        />
        <Go icon={ChevronRight} label={text.forward} isOff={at === last} onGo={() => { goTo(at + 1); }} />
        <Go icon={ChevronLast} label={text.last} isOff={at === last} onGo={() => { goTo(last); }} />
      </div>
      <p className="flex flex-wrap justify-between gap-x-4 text-base text-ink-soft">
        <span role="status">{place}</span>
        <span data-unprinted className="max-sm:hidden">{text.keys}</span>
      </p>
      {moment === undefined ? <Skeleton className="mt-4 h-72" /> : <MomentView moment={moment} onTree={onTree} />}
    </div>
  );
}

export function titleOf({ kind, name }: Pick<TraceMoment, "kind" | "name">): string {
  return name === "" ? text.kinds[kind] : `${text.kinds[kind]}: ${name}`;
}

interface GoProps {
  icon: LucideIcon;
  label: string;
  isOff: boolean;
  onGo: () => void;
}

/** It stays in the order of the Tab key at the ends, so that the focus is not lost. */
function Go({ icon: Icon, label, isOff, onGo }: GoProps): ReactNode {
  return (
    <IconButton
      label={label}
      aria-disabled={isOff}
      onClick={isOff ? undefined : onGo}
      className={isOff ? "cursor-default text-ink-soft opacity-50" : "text-ink hover:bg-line"}
    >
      <Icon aria-hidden className="size-5" />
    </IconButton>
  );
}
