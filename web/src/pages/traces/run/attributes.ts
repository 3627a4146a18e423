/** The attributes of a span, sorted into what is counted, what is said in a word, and whole texts. */

import { stepStrings } from "../../../strings-trace-steps";
import type { TraceSpan } from "../../../wire/generated";
import { lookedUp } from "../marks";

const text = stepStrings.span;
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

export function attributesOf({ attributes }: Pick<TraceSpan, "attributes">): Sorted {
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
