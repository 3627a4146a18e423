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

import { Mark, type Tone, TONES } from "../../../ui/data/badge";
import type { GraphNode, GraphTrace } from "../../../wire/generated";
import { graphStrings } from "./strings";

interface Look {
  icon: LucideIcon;
  tone: Tone;
}

const TYPES: Record<GraphTrace["type"], Look> = {
  violation: { icon: ShieldX, tone: "fail" },
  correction: { icon: PencilLine, tone: "warn" },
  decision: { icon: GitFork, tone: "accent" },
  approval: { icon: Check, tone: "ok" },
};
const KINDS: Record<GraphNode["kind"], Look> = {
  decision: { icon: GitFork, tone: "accent" },
  agent: { icon: Bot, tone: "ink" },
  feature: { icon: Flag, tone: "ink" },
  file: { icon: FileText, tone: "soft" },
  rule: { icon: Scale, tone: "ink" },
  memory: { icon: Brain, tone: "ink" },
  guard: { icon: Shield, tone: "door" },
  session: { icon: MessagesSquare, tone: "soft" },
};

export function lookOf(node: Pick<GraphNode, "kind" | "type">): Look {
  return node.type === null ? KINDS[node.kind] : TYPES[node.type];
}

/** What a node is, in a word: the type of a trace, the kind of everything else. */
export function wordOf(node: Pick<GraphNode, "kind" | "type">): string {
  return node.type === null ? graphStrings.kinds[node.kind] : graphStrings.types[node.type];
}

export function TypeMark({ type, className }: { type: GraphTrace["type"]; className?: string }): ReactNode {
  return (
    <Mark {...TYPES[type]} className={className}>
      {graphStrings.types[type]}
    </Mark>
  );
}

export function NodeIcon({ node, className }: { node: Pick<GraphNode, "kind" | "type">; className?: string }): ReactNode {
  const { icon: Icon, tone } = lookOf(node);
  return <Icon aria-hidden className={clsx("shrink-0", TONES[tone], className ?? "size-4")} />;
}
