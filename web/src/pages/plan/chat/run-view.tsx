/** One request and everything that came of it. */

import {
  Check,
  CircleCheck,
  CircleSlash,
  FileText,
  LoaderCircle,
  type LucideIcon,
  PauseCircle,
  Square,
  Wrench,
  X,
} from "lucide-react";
import { lexer, type Tokens } from "marked";
import { memo, type ReactNode, useRef } from "react";

import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/forms/field";
import { Markdown, plainText } from "../../../ui/markdown";
import { Marked } from "../../../ui/marked";
import { notifyError } from "../../../ui/toasts";
import type { PlanGate, PlanRun, PlanSaid, PlanToolCall } from "../../../wire/generated";
import { useAddress } from "../address";
import { useLive } from "../cache";
import { ADJUDICATION, GateView } from "../gates/gate-view";
import { useGoOn, useLessons, useStop } from "../hooks";
import { planStrings } from "../strings";
import { useRequest } from "./composer";
import { saidPart } from "./find-bar";
import { awaitNext, focusComposer, useLanding } from "./focus";
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

const text = planStrings.chat;

interface AgentMessageProps {
  said: PlanSaid;
  /** Under which name it is found. */
  part: string;
  isFolded: boolean;
}

/** What the agent said, with the tools it used. */
function AgentMessage({ said, part, isFolded }: AgentMessageProps): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <h3 className="sr-only">{text.paige}</h3>
      {isFolded && isDocument(said.text) ? (
        <Folded words={said.text} part={part} />
      ) : (
        <div data-part={part} className="empty:hidden">
          <Words words={said.text} />
        </div>
      )}
      {said.tools.length > 0 && <Tools tools={said.tools} />}
    </div>
  );
}

/** A whole document; once it is judged section by section below, it need not stand here a second time. */
function Folded({ words, part }: { words: string; part: string }): ReactNode {
  return (
    <details className="-my-1.5 text-base">
      <summary className="cursor-pointer hover:text-accent">
        <FileText aria-hidden className="mr-1.5 inline size-4 text-door-ink" />
        {text.showDraft} <span className="font-semibold">{titleOf(words) ?? text.draft}</span>
      </summary>
      <div data-part={part} className="mt-3">
        <Sheet words={words} />
      </div>
    </details>
  );
}

/** The same while it is written and when it is finished: nothing jumps. */
function Words({ words }: { words: string }): ReactNode {
  if (words.trim() === "") return null;
  return isDocument(words) ? <Sheet words={words} /> : <Markdown text={words} deeper={2} />;
}

function isDocument(words: string): boolean {
  return /^#{1,2} /m.test(words);
}

function Sheet({ words }: { words: string }): ReactNode {
  return (
    <div className="margin-line rounded-lg border border-line bg-card py-5 pr-5 pl-6 sm:pl-8">
      <Markdown text={words} deeper={2} />
    </div>
  );
}

/** An answer while it is written. It is announced when it is finished, not word by word. */
function Draft({ words }: { words: string }): ReactNode {
  return (
    <div aria-busy>
      <Words words={words} />
    </div>
  );
}

function titleOf(words: string): string | null {
  const first = lexer(words).find((token): token is Tokens.Heading => token.type === "heading");
  return first === undefined ? null : plainText(first.tokens);
}

interface ActivityProps {
  run: PlanRun;
  isWriting: boolean;
}

/** What Paige is doing at this moment, and the way to stop it. */
function Activity({ run, isWriting }: ActivityProps): ReactNode {
  const tool = useLive(({ tools }) => tools[run.id]);
  const stop = useStop();
  const line = useRef<HTMLDivElement>(null);
  useLanding(line, "meanwhile");
  const now = tool === undefined ? (isWriting ? text.writing : text.working) : text.stepNow(stepName(tool));
  return (
    <div ref={line} tabIndex={-1} data-landing className="flex items-center gap-3 text-ink-soft outline-none">
      <LoaderCircle aria-hidden className="size-5 animate-spin" />
      <p className="mr-auto">{now}</p>
      <Button
        look="quiet"
        disabled={stop.isPending}
        onClick={() => {
          stop.mutate(run.id, {
            onError: (error) => {
              notifyError(text.stopFailed, error);
            },
          });
        }}
      >
        <Square aria-hidden className="size-4" />
        {stop.isPending ? text.stopping : text.stop}
      </Button>
    </div>
  );
}

/** The tools an agent used, folded away until somebody looks. */
function stepName(name: string): string {
  return text.stepNames[name] ?? name.replaceAll(/[_-]/g, " ");
}

function Tools({ tools }: { tools: PlanToolCall[] }): ReactNode {
  const names = [...new Set(tools.map(({ name }) => stepName(name)))];
  return (
    <details className="text-base">
      <summary className="cursor-pointer text-ink-soft hover:text-accent">
        <Wrench aria-hidden className="mr-1.5 inline size-4" />
        {text.steps(tools.length)}: {names.join(", ")}
      </summary>
      <ol className="mt-2 flex flex-col gap-2 border-l-2 border-rule pl-4">
        {tools.map((tool, place) => (
          <li key={place}>
            <Tool tool={tool} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Tool({ tool: { name, input, result, failed } }: { tool: PlanToolCall }): ReactNode {
  const Icon = failed ? X : Check;
  return (
    <details>
      <summary className="cursor-pointer hover:text-accent">
        <Icon aria-hidden className={`mr-1.5 inline size-4 ${failed ? "text-fail" : "text-ok"}`} />
        {stepName(name)} <span className="text-ink-soft">{shortInput(input)}</span>
        {failed && <span className="font-semibold text-fail"> {text.stepFailed}</span>}
      </summary>
      <p className="mt-1 text-sm text-ink-soft">{text.given}</p>
      <Raw words={JSON.stringify(input, null, 2)} />
      <p className="mt-1 text-sm text-ink-soft">{text.result}</p>
      {result === "" ? <p className="text-sm">{text.stillRunning}</p> : <Raw words={result} />}
    </details>
  );
}

function Raw({ words }: { words: string }): ReactNode {
  return (
    // It scrolls, and the keyboard must be able to scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre tabIndex={0} className="max-h-60 overflow-auto rounded-md border border-line bg-card px-3 py-2 text-sm whitespace-pre-wrap">
      {words}
    </pre>
  );
}

/** The one thing that tells calls apart: which file, which skill, which words. */
function shortInput(input: Record<string, unknown>): string {
  const first = Object.values(input).find((value) => typeof value === "string");
  return typeof first === "string" ? first.slice(0, 80) : "";
}

interface OutcomeProps {
  session: string;
  run: PlanRun;
  isLast: boolean;
}

/** What a run came to: a saved lesson, an answer, or why it did not get there and what to do. */
function Outcome({ session, run, isLast }: OutcomeProps): ReactNode {
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
function Saved({ path, isEnd }: { path: string; isEnd: boolean }): ReactNode {
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
