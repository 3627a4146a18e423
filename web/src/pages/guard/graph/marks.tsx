/** How traces and things look: an icon and a word, so that no colour has to be seen. */

import { clsx } from "clsx";
import {
  Bot,
  Brain,
  Check,
  FileText,
  Flag,
  GitFork,
  type LucideIcon,
  MessagesSquare,
  PencilLine,
  Scale,
  Shield,
  ShieldX,
} from "lucide-react";
import type { ReactNode } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import type { GraphNode, GraphTrace } from "../../../wire/generated";

interface Look {
  icon: LucideIcon;
  colour: string;
}

const TYPES: Record<GraphTrace["type"], Look> = {
  violation: { icon: ShieldX, colour: "text-fail" },
  correction: { icon: PencilLine, colour: "text-warn" },
  decision: { icon: GitFork, colour: "text-accent" },
  approval: { icon: Check, colour: "text-ok" },
};
const KINDS: Record<GraphNode["kind"], Look> = {
  decision: { icon: GitFork, colour: "text-accent" },
  agent: { icon: Bot, colour: "text-ink" },
  feature: { icon: Flag, colour: "text-ink" },
  file: { icon: FileText, colour: "text-ink-soft" },
  rule: { icon: Scale, colour: "text-ink" },
  memory: { icon: Brain, colour: "text-ink" },
  guard: { icon: Shield, colour: "text-door-ink" },
  session: { icon: MessagesSquare, colour: "text-ink-soft" },
};

export function lookOf(node: Pick<GraphNode, "kind" | "type">): Look {
  return node.type === null ? KINDS[node.kind] : TYPES[node.type];
}

/** What a node is, in a word: the type of a trace, the kind of everything else. */
export function wordOf(node: Pick<GraphNode, "kind" | "type">): string {
  return node.type === null ? graphStrings.kinds[node.kind] : graphStrings.types[node.type];
}

export function TypeMark({ type, className }: { type: GraphTrace["type"]; className?: string }): ReactNode {
  const { icon: Icon, colour } = TYPES[type];
  return (
    <span className={clsx("inline-flex shrink-0 items-baseline gap-1.5 font-semibold whitespace-nowrap", colour, className)}>
      <Icon aria-hidden className="size-4.5 shrink-0 self-center" />
      {graphStrings.types[type]}
    </span>
  );
}

export function NodeIcon({ node, className }: { node: Pick<GraphNode, "kind" | "type">; className?: string }): ReactNode {
  const { icon: Icon, colour } = lookOf(node);
  return <Icon aria-hidden className={clsx("shrink-0", colour, className ?? "size-4")} />;
}
