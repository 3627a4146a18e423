/** One request and everything that came of it. */

import { memo, type ReactNode } from "react";

import type { PlanGate, PlanRun } from "../../../wire/generated";
import { ADJUDICATION, GateView } from "../gates/gate-view";
import { useLive } from "../live";
import { Activity } from "./activity";
import { saidPart } from "./find/find";
import { AgentMessage, Draft } from "./messages";
import { Outcome, Saved } from "./outcome";
import { RequestView } from "./request-view";

/** What asks before anything is written, and what asks when everything is saved. */
const BEFORE = ["scope-check", "feedforward"];
const AFTER = ["memory-capture"];

interface RunViewProps {
  session: string;
  run: PlanRun;
  isLast: boolean;
}

/** A session is read again and again; a run that is still the same is not drawn anew. */
export const RunView = memo(function RunView({ session, run, isLast }: RunViewProps): ReactNode {
  const writing = useLive(({ writings }) => writings[run.id]);
  const before = run.gates.filter(({ hook }) => BEFORE.includes(hook));
  const between = run.gates.filter(({ hook }) => !BEFORE.includes(hook) && !AFTER.includes(hook));
  const after = run.gates.filter(({ hook }) => AFTER.includes(hook));
  const isJudged = run.gates.some(({ hook }) => hook === ADJUDICATION);
  const gate = (each: PlanGate): ReactNode => <GateView key={`${each.gate}/${each.revision}`} run={run} gate={each} />;
  return (
    <>
      <RequestView run={run} />
      {before.map(gate)}
      {run.said
        .filter(({ role }) => role === "agent")
        .map((said, place) => (
          <AgentMessage key={place} said={said} part={saidPart(place)} isFolded={isJudged || run.lesson !== null} />
        ))}
      {between.map(gate)}
      {run.lesson !== null && <Saved path={run.lesson} isEnd={run.state === "ended"} />}
      {after.map(gate)}
      {run.state === "running" && writing !== undefined && <Draft words={writing.text} />}
      {run.state === "running" ? (
        <Activity run={run} isWriting={writing !== undefined} />
      ) : (
        <Outcome session={session} run={run} isLast={isLast} />
      )}
    </>
  );
});
