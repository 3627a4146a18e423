/** The run told again: one moment at a time, forward and back with a slider, buttons or keys. */

import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, CircleX, ListTree, type LucideIcon } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { Button, IconButton, More } from "../../../ui/button";
import { Answered, Empty } from "../../../ui/data/answered";
import { Card, Mark } from "../../../ui/data/facts";
import { formatRecent } from "../../../ui/data/when";
import { Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import type { TraceMoment, TraceMoments, TracePassage } from "../../../wire/generated";
import { useMomentOf, useMoments } from "../hooks";
import { lookedUp, showCost, showTime, showTokens, statusName } from "../marks";
import { traceStrings } from "../strings";
import { stepStrings } from "./strings";
import { GateView, Letters } from "./timeline-tab";

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

function titleOf({ kind, name }: Pick<TraceMoment, "kind" | "name">): string {
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

/** One moment of a run: what was read, said, called, decided or asked. */
function MomentView({ moment, onTree }: { moment: TraceMoment; onTree: (step: string) => void }): ReactNode {
  return (
    <Card as="section" isMarked className="mt-4" aria-label={text.kinds[moment.kind]} data-moment={moment.number}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="text-xl [overflow-wrap:anywhere]">
            {text.kinds[moment.kind]}
            {moment.name !== "" && <span className="text-ink-soft"> {nameOf(moment)}</span>}
          </h3>
          <Numbers moment={moment} />
        </div>
        {moment.at !== null && (
          <Button
            look="quiet"
            data-unprinted
            onClick={() => {
              onTree(moment.kind === "gate" ? `${moment.step}#gate` : moment.step);
            }}
          >
            <ListTree aria-hidden className="size-4.5" />
            {text.inTree}
          </Button>
        )}
      </div>
      {moment.pending && <p className="mt-3 text-ink-soft">{text.pending}</p>}
      {moment.kind === "model" && <Answer moment={moment} />}
      {moment.kind !== "model" && moment.said !== null && <Passages name={saidName(moment)} passages={[moment.said]} isOpen />}
      {moment.decided.length > 0 && <Decisions moment={moment} />}
      {moment.gate !== null && <GateView gate={moment.gate} />}
    </Card>
  );
}

function nameOf({ kind, name }: TraceMoment): string {
  return kind === "end" ? statusName(name) : name;
}

function Numbers({ moment }: { moment: TraceMoment }): ReactNode {
  const { at, lengthUs, tokensIn, tokensOut, costUsd, failed } = moment;
  return (
    <p className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft tabular-nums">
      {failed && <Mark tone="fail">{traceStrings.failed}</Mark>}
      {moment.step.startsWith("sub/") && <span>{text.sub}</span>}
      {at !== null && <time dateTime={at}>{formatRecent(at, new Date())}</time>}
      {lengthUs !== null && <span>{showTime(lengthUs)}</span>}
      {tokensIn !== null && <span>{showTokens(tokensIn, tokensOut ?? 0)}</span>}
      {tokensIn !== null && <span>{showCost(costUsd)}</span>}
    </p>
  );
}

function saidName({ kind }: TraceMoment): string {
  return kind === "subagent" || kind === "handoff" ? text.who.system : text.answered;
}

function Answer({ moment }: { moment: TraceMoment }): ReactNode {
  const { read, thought, said, called } = moment;
  return (
    <>
      {read.length > 0 ? <Passages name={text.read} passages={read} /> : <p className="mt-4 text-ink-soft">{text.readNothing}</p>}
      {thought !== "" && <Letters name={text.thought} words={thought} isCode={false} />}
      {said === null ? (
        <p className="mt-4 text-ink-soft">{text.saidNothing}</p>
      ) : (
        <Letters name={text.said} words={said.text} isCode={false} note={said.leftOut > 0 && <p className="text-base text-ink-soft">{text.leftOut(said.leftOut)}</p>} />
      )}
      {called.length > 0 && (
        <div className="mt-4">
          <p className="font-semibold">{text.called}</p>
          <ul className="mt-1 grid gap-3 lg:grid-cols-2">
            {called.map(({ call, name, input }) => (
              <li key={call} className="min-w-0 rounded border border-line px-3 pb-3">
                <Letters name={<code>{name}</code>} words={input} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

function Decisions({ moment }: { moment: TraceMoment }): ReactNode {
  return (
    <div className="mt-4">
      <p className="font-semibold">{text.decided}</p>
      <ul className="mt-1 space-y-2">
        {moment.decided.map(({ hook, outcome, text: words }) => (
          <li key={hook} className="rounded bg-line/40 px-3 py-2">
            <span className="font-semibold">{hook}</span> {lookedUp(text.outcomes, outcome, outcome)}
            {words !== "" && <span className="mt-1 block whitespace-pre-wrap [overflow-wrap:anywhere]">{words}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Up to so many letters a part stands open. */
const SHORT = 600;

/** What somebody read: each part with who it is from, long ones folded until they are wanted. */
function Passages({ name, passages, isOpen = false }: { name: string; passages: readonly TracePassage[]; isOpen?: boolean }): ReactNode {
  return (
    <div className="mt-4">
      <p className="font-semibold">{name}</p>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {passages.map((passage, place) => (
          <li key={place} className="py-2">
            <One passage={passage} isOpen={isOpen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function One({ passage, isOpen }: { passage: TracePassage; isOpen: boolean }): ReactNode {
  const { who, name, failed, leftOut } = passage;
  const words = wordsOf(passage);
  const title = (
    <>
      <span className="font-semibold">{text.who[who]}</span>
      {name !== "" && who !== "history" && <code className="ml-2 text-[0.9em]">{name}</code>}
      {failed && (
        <>
          <CircleX aria-hidden className="ml-2 inline size-4.5 text-fail" />
          <span className="sr-only">, {traceStrings.tree.failed}</span>
        </>
      )}
    </>
  );
  const body = (
    <>
      <span className="mt-1 block [overflow-wrap:anywhere] whitespace-pre-wrap">{words}</span>
      {leftOut > 0 && <span className="mt-1 block text-base text-ink-soft">{text.leftOut(leftOut)}</span>}
    </>
  );
  if (words.length <= SHORT) {
    return (
      <div>
        {title}
        {body}
      </div>
    );
  }
  return (
    <More words={<span className="text-ink">{title}</span>} isOpen={isOpen} className="">
      {body}
    </More>
  );
}

function wordsOf({ who, name, text: words, failed }: TracePassage): string {
  if (who === "history") return text.earlier(name);
  return words === "" && failed ? text.unsaid : words;
}
