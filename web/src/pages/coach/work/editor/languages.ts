/** The colours of a language, fetched when a file of it is opened first. */

import type { Extension } from "@codemirror/state";
import { indentUnit, StreamLanguage, type StreamParser } from "@codemirror/language";

type Load = () => Promise<Extension>;

const script =
  (options: { typescript?: boolean; jsx?: boolean }): Load =>
  async () =>
    (await import("@codemirror/lang-javascript")).javascript(options);

const stream =
  (load: () => Promise<StreamParser<unknown>>): Load =>
  async () =>
    StreamLanguage.define(await load());

const clike = (name: "c" | "cpp" | "java" | "csharp" | "kotlin" | "scala"): Load =>
  stream(async () => (await import("@codemirror/legacy-modes/mode/clike"))[name]);

/** One step in, as nearly every Python file has it; the editor's own is two spaces. */
const FOUR = indentUnit.of("    ");

const LANGUAGES: Record<string, Load> = {
  python: async () => [(await import("@codemirror/lang-python")).python(), FOUR],
  javascript: script({ jsx: true }),
  javascriptreact: script({ jsx: true }),
  typescript: script({ typescript: true }),
  typescriptreact: script({ typescript: true, jsx: true }),
  json: script({}),
  markdown: async () => (await import("@codemirror/lang-markdown")).markdownLanguage,
  c: clike("c"),
  cpp: clike("cpp"),
  java: clike("java"),
  csharp: clike("csharp"),
  kotlin: clike("kotlin"),
  scala: clike("scala"),
  go: stream(async () => (await import("@codemirror/legacy-modes/mode/go")).go),
  rust: stream(async () => (await import("@codemirror/legacy-modes/mode/rust")).rust),
  ruby: stream(async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby),
  shell: stream(async () => (await import("@codemirror/legacy-modes/mode/shell")).shell),
  shellscript: stream(async () => (await import("@codemirror/legacy-modes/mode/shell")).shell),
  yaml: stream(async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml),
  toml: stream(async () => (await import("@codemirror/legacy-modes/mode/toml")).toml),
  css: stream(async () => (await import("@codemirror/legacy-modes/mode/css")).css),
  html: stream(async () => (await import("@codemirror/legacy-modes/mode/xml")).html),
  xml: stream(async () => (await import("@codemirror/legacy-modes/mode/xml")).xml),
  sql: stream(async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL),
};

/** The extension for a language; nothing for one that is not known, or cannot be fetched. */
export async function languageOf(name: string): Promise<Extension> {
  try {
    return (await LANGUAGES[name]?.()) ?? [];
  } catch {
    return [];
  }
}
