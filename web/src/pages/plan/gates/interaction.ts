/** What a run may ask a person, and the answers, read from what the server sends. */

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
