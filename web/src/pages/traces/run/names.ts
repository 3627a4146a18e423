/** What a step is called. */

import { traceStrings } from "../../../strings-traces";
import type { TreeNode } from "./tree";

export function nameOf({ kind, name }: Pick<TreeNode, "kind" | "name">): string {
  if (kind !== "turn") return name;
  return name === "end" ? traceStrings.tree.lastTurn : traceStrings.tree.turn(name.slice(1));
}
