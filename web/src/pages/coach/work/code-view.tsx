/** The editor itself: CodeMirror with Paige's hints and balloons. It is made once and shown another file's state for each tab. */

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
import { unifiedMergeView } from "@codemirror/merge";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, type Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type ReactNode, useEffect, useRef } from "react";

import { colours, look } from "../../../ui/forms/use-editor";
import type { Decoration } from "../../../wire/generated";
import type { GoTo } from "../state/files";
import { type Balloon, balloons, beside, goToHint, hintTooltips, setBalloons, setHints } from "./hints";
import { type EditorEvents, Typing } from "./typing";

export interface CodeViewProps extends EditorEvents {
  path: string;
  label: string;
  /** The id of what says how to leave the editor. */
  described: string;
  language: string;
  /** The text at first; another one replaces what is there. */
  value: string;
  hints: readonly Decoration[];
  balloons: readonly Balloon[];
  goTo: GoTo | null;
  /** Counts how often the next hint was asked for. */
  nextHint: number;
}

interface Kept {
  state: EditorState;
  scroll: ReturnType<EditorView["scrollSnapshot"]>;
}

export function CodeView(props: CodeViewProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const kept = useRef(new Map<string, Kept>());
  const shown = useRef<string | null>(null);
  const typing = useRef<Typing | null>(null);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({ parent: place.current });
    const waiting = new Typing(latest, editor);
    typing.current = waiting;
    view.current = editor;
    return () => {
      waiting.flush();
      typing.current = null;
      view.current = null;
      shown.current = null;
      editor.destroy();
    };
  }, []);

  const { path, value, hints, balloons, goTo, language: name, nextHint } = props;
  // Another tab: the state of the one before is kept with its cursor, its place and what can be undone.
  useEffect(() => {
    const editor = view.current;
    if (editor === null || typing.current === null || shown.current === path) return;
    typing.current.flush();
    if (shown.current !== null) kept.current.set(shown.current, { state: editor.state, scroll: editor.scrollSnapshot() });
    shown.current = path;
    typing.current.path = path;
    const before = kept.current.get(path);
    editor.setState(before?.state ?? createState(latest, typing.current));
    if (before !== undefined) editor.dispatch({ effects: before.scroll });
  }, [path]);

  useEffect(() => {
    let isLeft = false;
    void languageOf(name).then((extension) => {
      if (!isLeft) view.current?.dispatch({ effects: language.reconfigure(extension) });
    });
    return () => {
      isLeft = true;
    };
  }, [path, name]);

  useEffect(() => {
    const editor = view.current;
    // What was told and comes back late must not undo what was typed since.
    if (editor === null || typing.current === null) return;
    if (typing.current.isEcho(value) || isSame(editor.state.doc, value)) return;
    typing.current.quietly(() => {
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
    });
  }, [path, value]);

  useEffect(() => {
    view.current?.dispatch({ effects: setHints.of(hints) });
  }, [path, hints]);

  useEffect(() => {
    view.current?.dispatch({ effects: setBalloons.of(balloons) });
  }, [path, balloons]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo?.path !== path) return;
    const { from } = editor.state.doc.line(Math.min(Math.max(1, goTo.line), editor.state.doc.lines));
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    editor.focus();
  }, [path, goTo]);

  useEffect(() => {
    const editor = view.current;
    const hint = editor === null || nextHint === 0 ? null : beside(editor.state, 1);
    if (editor === null || hint === null) return;
    editor.focus();
    goToHint(editor, hint, (each) => {
      latest.current.onHintShown(each.named);
    });
  }, [nextHint]);

  return <div ref={place} className="h-full [&_.cm-editor]:h-full" />;
}

function isSame(doc: Text, value: string): boolean {
  return doc.length === value.length && doc.toString() === value;
}

interface DiffViewProps {
  label: string;
  language: string;
  before: string;
  after: string;
}

/** Two texts of one file as one: what is gone, and what came instead. */
export function DiffView({ label, language: name, before, after }: DiffViewProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          plain,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
        ],
      }),
    });
    void languageOf(name).then((extension) => {
      if (editor.dom.isConnected) editor.dispatch({ effects: language.reconfigure(extension) });
    });
    return () => {
      editor.destroy();
    };
  }, [label, name, before, after]);
  return <div ref={place} className="h-full" />;
}

// Everything an editor for code is made of.

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
const language = new Compartment();

/** `latest` holds what the page wants now: a state is made once for each file. */
function createState(latest: { current: CodeViewProps }, typing: Typing): EditorState {
  return EditorState.create({ doc: latest.current.value, extensions: extensions(latest, typing) });
}

/** What editors and pictures of changes share. */
const plain: Extension = [
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
async function languageOf(name: string): Promise<Extension> {
  try {
    return (await LANGUAGES[name]?.()) ?? [];
  } catch {
    return [];
  }
}
