/** How traces and things look: an icon and a word, so that no colour has to be seen. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
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

import { GUARD_PATHS } from "../../../routes";
import { useServices } from "../../../services";
import { type AddressParts, changed, type Changes, oneOf, useAddressParts } from "../../../ui/address-bar";
import { Mark, type Tone, TONES } from "../../../ui/data/facts";
import type { GraphAround, GraphNode, GraphOverview, GraphTrace, GraphTraces } from "../../../wire/generated";
import type { GraphFilter } from "../api";
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

function lookOf(node: Pick<GraphNode, "kind" | "type">): Look {
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

// What the address of the explorer says: what is filtered, which trace is open, how far around it.

export const DEPTHS = [1, 2, 3, 5] as const;
const USUAL_DEPTH = 3;

type Name = "id" | "depth" | keyof GraphFilter;

export interface AddressBar {
  filter: GraphFilter;
  /** The trace that is open. */
  id: string | null;
  depth: number;
  go: AddressParts<Name>["go"];
  /** Where such a change would lead. */
  href: (changes: Changes<Name>) => string;
}

export const NO_FILTER: Record<keyof GraphFilter, null> = {
  type: null,
  agent: null,
  feature: null,
  rule: null,
  file: null,
  query: null,
};

export function useAddress(): AddressBar {
  const { found, go } = useAddressParts();
  const depth = Number(found.get("depth"));
  return {
    filter: {
      type: oneOf(found.get("type"), graphStrings.types),
      agent: found.get("agent"),
      feature: found.get("feature"),
      rule: found.get("rule"),
      file: found.get("file"),
      query: found.get("query") ?? "",
    },
    id: found.get("id"),
    depth: DEPTHS.find((each) => each === depth) ?? USUAL_DEPTH,
    go,
    href: (changes) => {
      const after = changed(found, changes).toString();
      return after === "" ? GUARD_PATHS.graph : `${GUARD_PATHS.graph}?${after}`;
    },
  };
}

// The server's answers about the context graph, as React hooks.

const GRAPH_KEY = ["graph"] as const;
/** Traces come from what hooks write down, and nobody tells the page. */
const LOOK_AGAIN_MS = 5000;

export function useGraph(): UseQueryResult<GraphOverview> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...GRAPH_KEY, "overview"], queryFn: () => learning.graph(), refetchInterval: LOOK_AGAIN_MS });
}

/** The last answer stays until the next one is there, so that typing does not flicker. */
export function useTraces(filter: GraphFilter, limit: number): UseQueryResult<GraphTraces> {
  const { learning } = useServices().api;
  return useQuery({
    queryKey: [...GRAPH_KEY, "traces", filter, limit],
    queryFn: () => learning.traces(filter, limit),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useAround(id: string, depth: number): UseQueryResult<GraphAround> {
  const { learning } = useServices().api;
  return useQuery({
    queryKey: [...GRAPH_KEY, "around", id, depth],
    queryFn: () => learning.around(id, depth),
    // Another depth of the same trace: the drawing stays until the next one is there.
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  });
}
