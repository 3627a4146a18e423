/** The forms that questions give to their texts: groups of facts, alternatives, remarks on a section. */

import type { PlanGate } from "../../../wire/generated";
import { readInteraction } from "./interaction";

export interface Known {
  heading: string;
  items: string[];
}

/** What Paige knows: groups of a line that ends with a colon and the points below it, and what is said around them. */
export function readKnown(text: string): { groups: Known[]; rest: string[] } {
  const groups: Known[] = [];
  const rest: string[] = [];
  for (const block of text.split(/\n{2,}/)) {
    const [heading = "", ...lines] = block.trim().split("\n");
    const isGroup = heading.endsWith(":") && lines.length > 0 && lines.every((line) => line.startsWith("- "));
    if (isGroup) groups.push({ heading: heading.slice(0, -1), items: lines.map((line) => line.slice(2)) });
    else if (heading !== "") rest.push(block.trim());
  }
  return { groups, rest };
}

export interface Alternative {
  title: string;
  text: string;
}

const ALTERNATIVE = /^### (As it is: .*|Alternative \d+)$/m;

/** The texts to choose from, the one that stands now first; none when the text is not about alternatives. */
export function readAlternatives(text: string): Alternative[] {
  // split() with one group puts the headings at the odd places.
  const [, ...parts] = text.split(ALTERNATIVE);
  const found: Alternative[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    found.push({ title: parts[at] ?? "", text: (parts[at + 1] ?? "").trim() });
  }
  return found;
}

const NOT_YET = /^\[Not accepted yet: ([\s\S]*?)\]\n\n/;

/** A section's text, and why an earlier wish could not be met. */
export function readSectionText(text: string): { problem: string | null; text: string } {
  const found = NOT_YET.exec(text);
  return found === null ? { problem: null, text } : { problem: found[1] ?? "", text: text.slice(found[0].length) };
}

/** What a section said when it was judged the last time, if that was something else. */
export function textBefore(gates: PlanGate[], gate: PlanGate, section: string): string | null {
  const now = sectionText(gate, section);
  const earlier = gates.filter(({ hook, openedAt }) => hook === gate.hook && openedAt < gate.openedAt);
  for (const each of earlier.toReversed()) {
    const before = sectionText(each, section);
    if (before !== null) return before === now ? null : before;
  }
  return null;
}

function sectionText(gate: PlanGate, section: string): string | null {
  const interaction = readInteraction(gate.interaction);
  if (interaction?.kind !== "sections") return null;
  const found = interaction.sections.find(({ id }) => id === section);
  return found === undefined ? null : readSectionText(found.text).text;
}

/** A proposal to remember something: the words, why, and why other words could not be kept. */
export function readProposal(text: string): { words: string; why: string; problem: string } {
  const lines = text.split("\n");
  const problem = /^\[Not kept: (.*)\]$/.exec(lines.at(-1) ?? "")?.[1] ?? "";
  if (problem !== "") lines.pop();
  const why = lines.length > 1 ? (/^\((.*)\)$/.exec(lines.at(-1) ?? "")?.[1] ?? "") : "";
  if (why !== "") lines.pop();
  return { words: lines.join("\n"), why, problem };
}

/** Markdown as it would be written by hand: teachers compare words, not marks. */
export function readable(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
    .replaceAll(/^(\s*)[-*+] \[x\] /gim, "$1✓ ")
    .replaceAll(/^(\s*)[-*+] \[ \] /gm, "$1○ ")
    .replaceAll(/^(\s*)[-*+] /gm, "$1• ")
    .replaceAll(/^#{1,6} /gm, "")
    .replaceAll(/(\*\*|__)(.+?)\1/g, "$2")
    .replaceAll(/`([^`\n]+)`/g, "$1")
    .replaceAll(/\n{3,}/g, "\n\n");
}
