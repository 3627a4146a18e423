/** What the address of the explorer says: what is filtered, which trace is open, how far around it. */

import { useSearchParams } from "wouter";

import type { GraphFilter } from "../../../api/learning-api";
import { GUARD_PATHS } from "../../../routes";
import { graphStrings } from "../../../strings-guard-graph";
import type { GraphTrace } from "../../../wire/generated";

export const DEPTHS = [1, 2, 3, 5] as const;
const USUAL_DEPTH = 3;

type Name = "id" | "depth" | keyof GraphFilter;

type Changes = Partial<Record<Name, string | null>>;

export interface AddressBar {
  filter: GraphFilter;
  /** The trace that is open. */
  id: string | null;
  depth: number;
  /** Changes parts of the address; `null` takes one out. */
  go: (changes: Changes, options?: { replace?: boolean }) => void;
  /** Where such a change would lead. */
  href: (changes: Changes) => string;
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
  const [found, setFound] = useSearchParams();
  const depth = Number(found.get("depth"));
  return {
    filter: {
      type: readType(found.get("type")),
      agent: found.get("agent"),
      feature: found.get("feature"),
      rule: found.get("rule"),
      file: found.get("file"),
      query: found.get("query") ?? "",
    },
    id: found.get("id"),
    depth: DEPTHS.find((each) => each === depth) ?? USUAL_DEPTH,
    go: (changes, options = {}) => {
      setFound((before) => changed(before, changes), options);
    },
    href: (changes) => {
      const after = changed(found, changes).toString();
      return after === "" ? GUARD_PATHS.graph : `${GUARD_PATHS.graph}?${after}`;
    },
  };
}

function changed(before: URLSearchParams, changes: Changes): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") after.delete(name);
    else after.set(name, value);
  }
  return after;
}

export function isFiltered(filter: GraphFilter): boolean {
  return Object.values(filter).some((value) => value !== null && value !== "");
}

function readType(text: string | null): GraphTrace["type"] | null {
  return text !== null && isType(text) ? text : null;
}

function isType(text: string): text is GraphTrace["type"] {
  return Object.hasOwn(graphStrings.types, text);
}
