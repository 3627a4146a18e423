/** Everything an editor for code is made of. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  type StreamParser,
  syntaxHighlighting,
} from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

import { colours, look } from "../../../ui/forms/editor-look";
import { balloons } from "./balloons";
import type { CodeViewProps } from "./code-view";
import { hintTooltips } from "./hints";
import type { Typing } from "./typing";

// How code looks in the editor, beyond what it shares with the editor of plans.

function tint(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${share}%, transparent)`;
}

const codeLook = EditorView.theme({
  ".cm-scroller": { fontSize: "0.9375rem" },
  ".cm-hint-gutter": { width: "1.25em" },
  ".cm-paige-sign": { display: "block", textAlign: "center", fontSize: "0.7em", lineHeight: "2.3em" },
  ".cm-paige-sign-hint": { color: "var(--coach-ink)" },
  ".cm-paige-sign-focus": { color: "var(--ok)" },
  ".cm-paige-sign-warning": { color: "var(--warn)" },
  ".cm-paige-hint, .cm-paige-hint.cm-activeLine": { backgroundColor: tint("var(--coach-spine)", 16) },
  ".cm-paige-focus, .cm-paige-focus.cm-activeLine": { backgroundColor: tint("var(--ok)", 14) },
  ".cm-paige-warning, .cm-paige-warning.cm-activeLine": { backgroundColor: tint("var(--chalk)", 22) },
  ".cm-paige-card": { padding: "0.5rem 0.75rem", maxWidth: "26rem", fontSize: "1rem", lineHeight: "1.5" },
  ".cm-paige-card p + strong": { display: "block", marginTop: "0.5rem" },
  ".cm-paige-card strong": { color: "var(--door-ink)", fontSize: "0.9375rem" },
  // Room around a balloon is padding: a margin would not count into its height, and shift the numbers of the lines.
  ".cm-paige-place": { padding: "0.25rem 1rem 0.5rem 1.5rem" },
  ".cm-paige-balloon": {
    boxSizing: "border-box",
    width: "fit-content",
    // A long line makes the text wider than what one sees of it.
    maxWidth: "min(34rem, calc(var(--coach-room, 30rem) - 7rem))",
    border: "1px solid var(--spine)",
    borderRadius: "0.25rem 0.75rem 0.75rem 0.75rem",
    backgroundColor: "var(--card)",
    padding: "0.5rem 0.875rem 0.625rem",
    fontFamily: "var(--font-text)",
    fontSize: "1rem",
    lineHeight: "1.5",
    whiteSpace: "normal",
  },
  ".cm-paige-balloon strong": { color: "var(--door-ink)", fontSize: "0.9375rem" },
  ".cm-paige-balloon button": {
    marginTop: "0.25rem",
    color: "var(--accent)",
    fontSize: "0.9375rem",
    textDecoration: "underline",
    textUnderlineOffset: "0.2em",
    cursor: "pointer",
  },
  // Changes: what was there in red, what is there now in green, both with a mark beside them.
  ".cm-deletedChunk": { backgroundColor: tint("var(--fail)", 10), paddingLeft: "1.25rem" },
  ".cm-deletedChunk .cm-deletedText": { background: tint("var(--fail)", 24) },
  "&.cm-merge-b .cm-changedLine, .cm-changedLine, .cm-inlineChangedLine": { backgroundColor: tint("var(--ok)", 12) },
  "&.cm-merge-b .cm-changedText, .cm-changedText": { background: tint("var(--ok)", 26) },
  ".cm-changedLineGutter": { background: "var(--ok)" },
  ".cm-deletedLineGutter": { background: "var(--fail)" },
  ".cm-collapsedLines:before, .cm-collapsedLines:after": { content: '"…"' },
  ".cm-collapsedLines": { background: "var(--line)", color: "var(--ink)", padding: "0.25rem 1rem" },
});

const codeColours = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.modifier, tags.operatorKeyword], color: "var(--coach-ink)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: "var(--ok)" },
  { tag: [tags.comment, tags.docComment], color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: "var(--warn)" },
  { tag: [tags.function(tags.variableName), tags.definition(tags.function(tags.variableName))], color: "var(--accent)" },
  { tag: [tags.typeName, tags.className, tags.tagName], color: "var(--plan-ink)" },
  { tag: [tags.meta, tags.annotation], color: "var(--ink-soft)" },
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.invalid, color: "var(--fail)" },
]);

/** Holds the language, which is fetched later than the rest. */
export const language = new Compartment();

/** `latest` holds what the page wants now: a state is made once for each file. */
export function createState(latest: { current: CodeViewProps }, typing: Typing): EditorState {
  return EditorState.create({ doc: latest.current.value, extensions: extensions(latest, typing) });
}

/** What editors and pictures of changes share. */
export const plain: Extension = [
  lineNumbers(),
  language.of([]),
  syntaxHighlighting(codeColours),
  syntaxHighlighting(colours),
  look,
  codeLook,
];

function extensions(latest: { current: CodeViewProps }, typing: Typing): Extension {
  const { label, described } = latest.current;
  const save = (): boolean => {
    typing.flush();
    latest.current.onSave();
    return true;
  };
  const explain = (): boolean => {
    typing.flush();
    latest.current.onExplain(typing.spot());
    return true;
  };
  return [
    plain,
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    bracketMatching(),
    indentOnInput(),
    search({ top: true }),
    hintTooltips((hint) => {
      latest.current.onHintShown(hint.named);
    }),
    balloons((id) => {
      latest.current.onDismiss(id);
    }),
    keymap.of([
      { key: "Mod-s", run: save, preventDefault: true },
      { key: "Mod-e", run: explain, preventDefault: true },
      ...searchKeymap,
      ...historyKeymap,
      // In code the Tab key indents. Escape, then Tab, leaves: CodeMirror sees to it.
      indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ "aria-label": label, "aria-describedby": described, tabindex: "0" }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) typing.changed();
      if (update.selectionSet || update.docChanged) latest.current.onSelect(typing.spot());
    }),
    EditorView.domEventHandlers({
      // Whoever leaves the editor, for a button perhaps, means the text as it is now.
      blur: () => {
        typing.flush();
      },
      scroll: () => {
        latest.current.onScroll();
      },
    }),
  ];
}

// The colours of a language, fetched when a file of it is opened first.

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
