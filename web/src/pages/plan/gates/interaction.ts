/** What a run may ask a person, and the answers, read from what the server sends. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import type { PlanGate } from "../../../wire/generated";
import { planStrings } from "../strings";

export interface Option {
  id: string;
  label: string;
  wantsText: boolean;
}

export interface Section {
  id: string;
  title: string;
  text: string;
}

export type Interaction =
  | { kind: "questions"; title: string; text: string; questions: string[] }
  | { kind: "choices"; title: string; text: string; options: Option[] }
  | { kind: "free_text"; title: string; text: string; initial: string }
  | { kind: "sections"; title: string; text: string; sections: Section[]; options: Option[] };

export type Choices = Extract<Interaction, { kind: "choices" }>;
export type Questions = Extract<Interaction, { kind: "questions" }>;
export type FreeText = Extract<Interaction, { kind: "free_text" }>;
export type Sections = Extract<Interaction, { kind: "sections" }>;

export interface Picked {
  option: string;
  text: string;
}

export interface Reply {
  /** By section; a single choice is under the empty name. */
  picked: Record<string, Picked>;
  texts: string[];
}

type Data = Record<string, unknown>;

/** The interaction in what the server sends; null when it has a form that this page does not know. */
export function readInteraction(data: Data): Interaction | null {
  const title = textOf(data.title);
  const text = textOf(data.text);
  switch (data.kind) {
    case "questions":
      return { kind: "questions", title, text, questions: listOf(data.questions).map(textOf) };
    case "choices":
      return { kind: "choices", title, text, options: readOptions(data.options) };
    case "free_text":
      return { kind: "free_text", title, text, initial: textOf(data.initial) };
    case "sections":
      return {
        kind: "sections",
        title,
        text,
        sections: listOf(data.sections).map(asData).map((each) => ({
          id: textOf(each.id),
          title: textOf(each.title),
          text: textOf(each.text),
        })),
        options: readOptions(data.options),
      };
    default:
      return null;
  }
}

/** An answer that was given, and whether a person gave it. */
export function readReply(data: Data): Reply & { auto: boolean } {
  const picked = Object.entries(asData(data.picked)).map(([id, value]) => {
    const { option, text } = asData(value);
    return [id, { option: textOf(option), text: textOf(text) }] as const;
  });
  return { picked: Object.fromEntries(picked), texts: listOf(data.texts).map(textOf), auto: data.auto === true };
}

export function chosen(option: string, text = ""): Reply {
  return { picked: { "": { option, text } }, texts: [] };
}

function readOptions(value: unknown): Option[] {
  return listOf(value)
    .map(asData)
    .map((each) => ({ id: textOf(each.id), label: textOf(each.label), wantsText: each.wants_text === true }));
}

function asData(value: unknown): Data {
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

// What was answered to a question, in words.

const text = planStrings.gates;

type Row = [asked: string, answer: string];

export function answersOf(interaction: Interaction, reply: Reply): Row[] {
  switch (interaction.kind) {
    case "questions":
      return interaction.questions.map((question, place) => [question, reply.texts[place] ?? ""]);
    case "free_text":
      return [[interaction.title, reply.texts[0] ?? ""]];
    case "choices":
      return [[interaction.title, answerText(interaction.options, reply, "")]];
    case "sections":
      return interaction.sections.map(({ id, title }) => [title, answerText(interaction.options, reply, id)]);
  }
}

function answerText(options: Option[], reply: Reply, section: string): string {
  const picked = reply.picked[section];
  if (picked === undefined) return "";
  const label = labelOf(options, picked.option);
  return picked.text === "" ? label : `${label}: ${picked.text}`;
}

function labelOf(options: Option[], id: string): string {
  const option = options.find((each) => each.id === id);
  if (option === undefined) return id;
  return option.wantsText ? (option.label.split(":")[0] ?? option.label) : option.label;
}

export function shortAnswer(interaction: Interaction, reply: Reply): string {
  switch (interaction.kind) {
    case "choices":
      return answerText(interaction.options, reply, "");
    case "sections": {
      const counts = interaction.options.map(({ id }) => {
        const count = Object.values(reply.picked).filter(({ option }) => option === id).length;
        return count === 0 ? "" : `${labelOf(interaction.options, id)} ${count}`;
      });
      return counts.filter((count) => count !== "").join(" · ");
    }
    case "questions":
    case "free_text":
      return reply.texts.every((answer) => answer.trim() === "") ? text.empty : text.answered;
  }
}

/** Everything that an answered question shows, in its order. */
export function answerWords(interaction: Interaction, reply: Reply): string {
  return [interaction.title, shortAnswer(interaction, reply), ...answersOf(interaction, reply).flat()].join("\n");
}

// The forms that questions give to their texts: groups of facts, alternatives, remarks on a section.

interface Known {
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

// Answers that are being written; they outlive a look elsewhere, and a reload.

interface GateDraftStore {
  drafts: Readonly<Record<string, Reply>>;
  pick: (key: string, section: string, picked: Picked) => void;
  write: (key: string, place: number, text: string) => void;
  drop: (key: string) => void;
}

const EMPTY: Reply = { picked: {}, texts: [] };

export const useGateDrafts = create<GateDraftStore>()(
  persist(
    (set) => ({
      drafts: {},
      pick: (key, section, picked) => {
        set(({ drafts }) => {
          const draft = drafts[key] ?? EMPTY;
          return { drafts: { ...drafts, [key]: { ...draft, picked: { ...draft.picked, [section]: picked } } } };
        });
      },
      write: (key, place, text) => {
        set(({ drafts }) => {
          const draft = drafts[key] ?? EMPTY;
          const texts = Array.from({ length: Math.max(place + 1, draft.texts.length) }, (_, at) => draft.texts[at] ?? "");
          texts[place] = text;
          return { drafts: { ...drafts, [key]: { ...draft, texts } } };
        });
      },
      drop: (key) => {
        set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== key)) }));
      },
    }),
    { name: "paige-plan-answers", storage: createJSONStorage(() => sessionStorage) },
  ),
);

export function draftKey({ run, gate, revision }: PlanGate): string {
  return `${run}/${gate}/${revision}`;
}

/** What was answered so far. */
export function useDraft(key: string): Reply {
  return useGateDrafts(({ drafts }) => drafts[key] ?? EMPTY);
}
