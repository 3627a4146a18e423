/** What a run came to: a saved lesson, an answer, or why it did not get there and what to do. */

import { CircleCheck, CircleSlash, type LucideIcon, PauseCircle } from "lucide-react";
import { type ReactNode, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import type { PlanRun } from "../../../wire/generated";
import { useGoOn } from "../actions";
import { useAddress } from "../address";
import { useLessons } from "../hooks";
import { awaitNext, focusComposer, useLanding } from "./focus";
import { useRequest } from "./request";

const text = planStrings.chat;

interface OutcomeProps {
  session: string;
  run: PlanRun;
  isLast: boolean;
}

export function Outcome({ session, run, isLast }: OutcomeProps): ReactNode {
  if (run.state === "interrupted") return <Interrupted run={run} />;
  return (
    <>
      {run.state === "ended" && run.status !== "success" && <Failed session={session} run={run} isLast={isLast} />}
      {run.state === "ended" && <Facts run={run} />}
    </>
  );
}

interface CardProps {
  /** Whether this is what somebody waited for. */
  isAwaited?: boolean;
  icon: LucideIcon;
  color: string;
  edge: string;
  title: string;
  children: ReactNode;
}

function Card({ isAwaited = true, icon: Icon, color, edge, title, children }: CardProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLanding(heading, isAwaited ? "end" : "none");
  return (
    <section className={`rounded-lg border border-l-4 border-line bg-card px-5 py-4 ${edge}`}>
      <h3 ref={heading} tabIndex={-1} className="flex items-center gap-2 text-lg outline-none">
        <Icon aria-hidden className={`size-5 shrink-0 ${color}`} />
        {title}
      </h3>
      {children}
    </section>
  );
}

/** It is saved already while Paige still asks what to remember. */
export function Saved({ path, isEnd }: { path: string; isEnd: boolean }): ReactNode {
  const { openLesson } = useAddress();
  const lesson = useLessons().data?.find((each) => each.path === path);
  return (
    <Card isAwaited={isEnd} icon={CircleCheck} color="text-ok" edge="border-l-ok" title={text.saved}>
      <p className="mt-1 font-semibold">{lesson?.title}</p>
      <p className="text-base text-ink-soft">{path}</p>
      <Button
        className="mt-3"
        onClick={() => {
          openLesson(path);
        }}
      >
        {text.savedOpen}
      </Button>
    </Card>
  );
}

function Failed({ session, run, isLast }: OutcomeProps): ReactNode {
  const { change } = useRequest.getState();
  return (
    <Card
      icon={CircleSlash}
      color="text-fail"
      edge="border-l-fail"
      title={text.failedRun[run.status ?? ""] ?? text.failedAnyhow}
    >
      {run.reason !== null && (
        <div data-part="reason" className="mt-1">
          <Marked className="block whitespace-pre-wrap" text={run.reason} />
        </div>
      )}
      <p className="mt-1 text-ink-soft">{text.failedHint}</p>
      {isLast && (
        <Button
          look="quiet"
          className="mt-3"
          onClick={() => {
            change(session, { words: run.prompt });
            focusComposer();
          }}
        >
          {text.again}
        </Button>
      )}
    </Card>
  );
}

function Interrupted({ run }: { run: PlanRun }): ReactNode {
  const goOn = useGoOn();
  return (
    <Card icon={PauseCircle} color="text-warn" edge="border-l-warn" title={text.interrupted}>
      <Marked className="mt-1 block whitespace-pre-wrap" text={run.reason ?? text.interruptedHint} />
      {goOn.isError && <FormError id={`plan-go-on-${run.id}`} error={goOn.error} />}
      <Button
        className="mt-3"
        disabled={goOn.isPending}
        onClick={() => {
          awaitNext();
          goOn.mutate(run.id);
        }}
      >
        {goOn.isPending ? text.continuing : text.continue}
      </Button>
    </Card>
  );
}

function Facts({ run: { source, turns, costUsd } }: { run: PlanRun }): ReactNode {
  const facts = [
    text.source[source] ?? text.by(source),
    turns > 1 ? text.turns(turns) : "",
    costUsd !== null && costUsd > 0 ? text.cost(costUsd) : "",
  ];
  return <p className="text-sm text-ink-soft">{facts.filter((fact) => fact !== "").join(" · ")}</p>;
}
