/** Everything about the chosen step: time, tokens and cost, what it was given and what it said. */

import { ListVideo, ZoomIn, ZoomOut } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "../../../ui/button";
import { Answered } from "../../../ui/data/answered";
import { Card } from "../../../ui/data/card";
import { Fact, Facts } from "../../../ui/data/facts";
import { formatMoment } from "../../../ui/data/when";
import { Skeleton } from "../../../ui/skeleton";
import type { TraceSpan } from "../../../wire/generated";
import { showCost, showCount, showTime, showTokens } from "../amounts";
import { useSpan } from "../hooks";
import { kindName, lookedUp } from "../marks";
import { traceStrings } from "../strings";
import { GateView, Letters } from "./gate-view";
import { stepStrings } from "./strings";
import { nameOf, tookOf, type TreeNode } from "./tree";

const text = stepStrings.span;

interface SpanPanelProps {
  run: string;
  node: TreeNode;
  startedUs: number;
  isZoomed: boolean;
  onZoom: (() => void) | null;
  onReplay: ((step: string) => void) | null;
}

export function SpanPanel({ run, node, startedUs, isZoomed, onZoom, onReplay }: SpanPanelProps): ReactNode {
  const Zoom = isZoomed ? ZoomOut : ZoomIn;
  return (
    <Card as="section" aria-label={text.heading} className="mt-4" data-printed>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 text-xl [overflow-wrap:anywhere]">
          {node.kind !== "turn" && <span className="text-ink-soft">{kindName(node.kind)} </span>}
          {nameOf(node)}
        </h3>
        <div data-unprinted className="flex flex-wrap gap-2">
          {onZoom !== null && (
            <Button look="quiet" onClick={onZoom}>
              <Zoom aria-hidden className="size-4.5" />
              {isZoomed ? traceStrings.tree.unzoom : traceStrings.tree.zoom}
            </Button>
          )}
          {onReplay !== null && (
            <Button
              look="quiet"
              onClick={() => {
                onReplay(node.gate === null ? node.id : node.gate.step);
              }}
            >
              <ListVideo aria-hidden className="size-4.5" />
              {text.replay}
            </Button>
          )}
        </div>
      </div>
      <div className="mt-3 grid gap-x-10 lg:grid-cols-2">
        <Facts>
          <Fact name={text.began}>{formatMoment(new Date((startedUs + node.start) / 1000).toISOString())}</Fact>
          <Fact name={text.took}>{showTime(tookOf(node))}</Fact>
          <Fact name={text.waited}>{node.kind !== "gate" && node.waited > 0 && showTime(node.waited)}</Fact>
          <Fact name={text.tokens}>{node.hasCost && showTokens(node.tokensIn, node.tokensOut)}</Fact>
          <Fact name={text.cost}>{node.hasCost && showCost(node.cost, node.isUnpriced)}</Fact>
          <Fact name={text.step}>{node.gate === null && node.id !== "" && <code className="text-[0.9em]">{node.id}</code>}</Fact>
        </Facts>
        {node.gate === null && node.kind !== "turn" && <Attributes run={run} step={node.id} part="facts" />}
      </div>
      {node.gate !== null && <GateView gate={node.gate} />}
      {node.gate === null && node.kind !== "turn" && <Attributes run={run} step={node.id} part="texts" />}
    </Card>
  );
}

function Attributes({ run, step, part }: { run: string; step: string; part: "facts" | "texts" }): ReactNode {
  const span = useSpan(run, step);
  return (
    <Answered query={span} words={text} skeleton={part === "facts" ? <Skeleton className="h-24" /> : null}>
      {(found) => {
        const { facts, tokens, texts } = attributesOf(found);
        return part === "texts" ? (
          texts.map(({ name, words }) => <Letters key={name} name={name} words={words} />)
        ) : (
          <Facts>
            {tokens.map(([name, value]) => (
              <Fact key={name} name={name}>
                {showCount(value)}
              </Fact>
            ))}
            {facts.map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        );
      }}
    </Answered>
  );
}

const TOKENS = [
  ["input_tokens", text.fresh],
  ["cache_read_tokens", text.cacheRead],
  ["cache_write_tokens", text.cacheWrite],
  ["output_tokens", text.output],
] as const;
const TEXTS: Record<string, string> = {
  input: text.given,
  output: text.said,
  task: text.task,
  summary: text.summary,
  context: text.context,
  reason: text.reason,
};
const ELSEWHERE = new Set<string>(["cost_usd", ...TOKENS.map(([key]) => key)]);

interface Sorted {
  tokens: [name: string, value: number][];
  facts: [name: string, value: string][];
  texts: { name: string; words: string }[];
}

/** The attributes of a span, sorted into what is counted, what is said in a word, and whole texts. */
function attributesOf({ attributes }: Pick<TraceSpan, "attributes">): Sorted {
  const sorted: Sorted = { tokens: [], facts: [], texts: [] };
  for (const [key, name] of TOKENS) {
    const value = attributes[key];
    if (typeof value === "number") sorted.tokens.push([name, value]);
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (!ELSEWHERE.has(key)) sortIn(sorted, key, value);
  }
  return sorted;
}

function sortIn(sorted: Sorted, key: string, value: unknown): void {
  // A model's summary is a few counters, a subagent's is what it reported.
  if (key === "summary" && isTable(value)) {
    for (const [inner, each] of Object.entries(value)) sortIn(sorted, inner, each);
    return;
  }
  const named = TEXTS[key];
  if (named !== undefined) {
    const words = readable(value);
    if (words !== "") sorted.texts.push({ name: named, words });
    return;
  }
  const words = readable(value);
  if (words !== "") sorted.facts.push([lookedUp(text.names, key, key.replaceAll("_", " ")), words]);
}

function readable(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
