/** One moment of a run: what was read, said, called, decided or asked. */

import { ListTree } from "lucide-react";
import type { ReactNode } from "react";

import { stepStrings } from "../../../strings-trace-steps";
import { traceStrings } from "../../../strings-traces";
import { Mark } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { formatRecent } from "../../../ui/when";
import type { TraceMoment } from "../../../wire/generated";
import { showCost, showTime, showTokens } from "../amounts";
import { lookedUp, statusName } from "../marks";
import { GateView } from "./gate-view";
import { Letters } from "./letters";
import { Passages } from "./passages";

const text = stepStrings.replay;

export function MomentView({ moment, onTree }: { moment: TraceMoment; onTree: (step: string) => void }): ReactNode {
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
