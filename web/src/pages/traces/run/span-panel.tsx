/** Everything about the chosen step: time, tokens and cost, what it was given and what it said. */

import { ListVideo, ZoomIn, ZoomOut } from "lucide-react";
import type { ReactNode } from "react";

import { stepStrings } from "../../../strings-trace-steps";
import { traceStrings } from "../../../strings-traces";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Fact, Facts } from "../../../ui/facts";
import { Skeleton } from "../../../ui/skeleton";
import { formatMoment } from "../../../ui/when";
import { showCost, showCount, showTime, showTokens } from "../amounts";
import { useSpan } from "../hooks";
import { kindName } from "../marks";
import { attributesOf } from "./attributes";
import { GateView } from "./gate-view";
import { Letters } from "./letters";
import { nameOf } from "./names";
import type { TreeNode } from "./tree";
import { tookOf } from "./tree-walk";

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
