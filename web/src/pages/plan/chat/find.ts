/** Finds words among everything that was said in a session, also where it is not drawn. */

import { lexer, type Token, type Tokens } from "marked";

import { unescaped } from "../../../ui/markdown";
import type { PlanGate, PlanRun } from "../../../wire/generated";
import { answerWords } from "../gates/answers";
import { readInteraction, readReply } from "../gates/interaction";

/** A piece that is searched; the page marks where it is drawn with the same name. */
interface Part {
  name: string;
  words: string;
}

/** The place of some words: in which row, in which part of it, and the how manieth there. */
export interface Hit {
  row: number;
  part: string;
  nth: number;
}

export interface Found {
  pattern: RegExp | null;
  hits: Hit[];
}

export const NOTHING: Found = { pattern: null, hits: [] };

export function saidPart(place: number): string {
  return `said-${place}`;
}

export function gatePart({ gate, revision }: PlanGate): string {
  return `gate-${gate}/${revision}`;
}

/** The words as they stand; where that is nowhere, any of them. */
export function findIn(runs: readonly (PlanRun | null)[], words: string): Found {
  const each = words.split(/\s+/).filter((word) => word !== "");
  if (each.length === 0) return NOTHING;
  const escaped = each.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const together = searched(runs, new RegExp(escaped.join(String.raw`\s+`), "giu"));
  if (together.hits.length > 0 || each.length === 1) return together;
  return searched(runs, new RegExp(escaped.join("|"), "giu"));
}

function searched(runs: readonly (PlanRun | null)[], pattern: RegExp): Found {
  const hits = runs.flatMap((run, row) =>
    run === null
      ? []
      : partsOf(run).flatMap(({ name, words }) =>
          Array.from(words.matchAll(pattern), (_, nth) => ({ row, part: name, nth })),
        ),
  );
  return { pattern, hits };
}

/** Where to begin: at what is in sight or below it. */
export function firstHit(hits: readonly Hit[], row: number): Hit | null {
  return hits.find((hit) => hit.row >= row) ?? null;
}

export function isSame(one: Hit | null, other: Hit): boolean {
  return one !== null && one.row === other.row && one.part === other.part && one.nth === other.nth;
}

/** Taking texts apart takes time; a run is only ever replaced as a whole. */
const known = new WeakMap<PlanRun, Part[]>();

function partsOf(run: PlanRun): Part[] {
  const before = known.get(run);
  if (before !== undefined) return before;
  const said = run.said.filter(({ role }) => role === "agent");
  const answered = run.gates.flatMap((gate) => {
    const interaction = readInteraction(gate.interaction);
    if (interaction === null || gate.reply === null) return [];
    return [{ name: gatePart(gate), words: answerWords(interaction, readReply(gate.reply)) }];
  });
  const parts = [
    { name: "prompt", words: run.prompt },
    ...said.map(({ text }, place) => ({ name: saidPart(place), words: plainWords(text) })),
    ...answered,
    { name: "reason", words: run.reason ?? "" },
  ];
  known.set(run, parts);
  return parts;
}

/** The words of a text without its marks, as they can be seen and searched. */
export function plainWords(markdown: string): string {
  return lexer(markdown).map(blockWords).join("\n");
}

function blockWords(token: Token): string {
  switch (token.type) {
    case "list":
      return (token as Tokens.List).items.map(({ tokens }) => tokens.map(blockWords).join("\n")).join("\n");
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map(({ tokens }) => lineWords(tokens)).join("\n")).join("\n");
    }
    case "blockquote":
      return ((token as Tokens.Blockquote).tokens).map(blockWords).join("\n");
    case "checkbox":
    case "space":
      return "";
    default:
      return lineWords([token]);
  }
}

function lineWords(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "br") return "\n";
      if (token.type === "html" && token.raw.startsWith("<!--")) return "";
      if ("tokens" in token && Array.isArray(token.tokens)) return lineWords(token.tokens);
      if (!("text" in token) || typeof token.text !== "string") return "";
      return token.type === "text" ? unescaped(token.text) : token.text;
    })
    .join("");
}
