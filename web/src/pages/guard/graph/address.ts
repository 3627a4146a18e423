/** What the address of the explorer says: what is filtered, which trace is open, how far around it. */

import type { GraphFilter } from "../../../api/learning-api";
import { GUARD_PATHS } from "../../../routes";
import { graphStrings } from "../../../strings-guard-graph";
import { type AddressParts, changed, type Changes, oneOf, useAddressParts } from "../../../ui/address-bar";

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
