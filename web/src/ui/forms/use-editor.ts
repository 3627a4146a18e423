/** A CodeMirror editor in a page: made once, and told when the text changes from outside. */

import { HighlightStyle } from "@codemirror/language";
import { EditorState, type Extension, RangeSetBuilder, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type RefObject, useEffect, useRef } from "react";

interface EditorProps {
  /** The text at first; another one replaces what is there. */
  value: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

interface Editor {
  /** Where it is drawn. */
  place: RefObject<HTMLDivElement | null>;
  view: RefObject<EditorView | null>;
}

/** What an editor is made with; the keys include the one that saves. */
type MakeExtensions<Props> = (props: Props, save: () => boolean) => Extension;

export function useEditor<Props extends EditorProps>(props: Props, extensions: MakeExtensions<Props>): Editor {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const make = useRef(extensions);
  /** What was typed and has not come back as `value`; under load it comes back late. */
  const told = useRef<string[]>([]);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (place.current === null) return;
    const save = (): boolean => {
      latest.current.onSave();
      return true;
    };
    const tell = EditorView.updateListener.of((update) => {
      const text = update.state.doc.toString();
      if (!update.docChanged || text === latest.current.value) return;
      told.current.push(text);
      latest.current.onChange(text);
    });
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: latest.current.value, extensions: [make.current(latest.current, save), tell] }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  const { value } = props;
  useEffect(() => {
    const editor = view.current;
    const echo = told.current.indexOf(value);
    told.current.splice(0, echo + 1);
    if (editor === null || echo >= 0 || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return { place, view };
}

// How the editor looks: the colours of the page, in both themes.

export const look = EditorView.theme({
  "&": { height: "100%", backgroundColor: "transparent", color: "var(--ink)", fontSize: "1rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.6" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.75rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--ink-soft)", borderRight: "1px solid var(--margin)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--line) 35%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)",
  },
  ".cm-selectionMatch": { backgroundColor: "color-mix(in srgb, var(--chalk) 30%, transparent)" },
  // The facts above a text: the language takes their last line for the mark of a heading.
  ".cm-facts span": { color: "var(--ink)", fontWeight: "400" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in srgb, var(--chalk) 45%, transparent)" },
  ".cm-lintRange-warning": {
    backgroundImage: "none",
    textDecoration: "underline wavy var(--warn)",
    textUnderlineOffset: "0.25em",
  },
  ".cm-tooltip": {
    border: "1px solid var(--line)",
    borderRadius: "0.375rem",
    backgroundColor: "var(--card)",
    color: "var(--ink)",
    fontFamily: "var(--font-text)",
    maxWidth: "28rem",
  },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warn)" },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-panel input, .cm-panel button": { fontSize: "1rem", fontFamily: "var(--font-text)" },
  ".cm-panel .cm-textfield": { border: "1px solid var(--edge)", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-panel .cm-button": {
    border: "1px solid var(--edge)",
    borderRadius: "0.25rem",
    backgroundColor: "var(--card)",
    backgroundImage: "none",
    color: "var(--ink)",
  },
  ".cm-panel label": { fontSize: "0.95rem" },
});

export const colours = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700", color: "var(--door-ink)" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--accent)" },
  { tag: [tags.monospace, tags.labelName], color: "var(--ok)" },
  { tag: [tags.processingInstruction, tags.meta, tags.comment, tags.quote], color: "var(--ink-soft)" },
]);

/** Marks the facts between two `---` at the top of a file. */
export const facts = StateField.define<DecorationSet>({
  create: ({ doc }) => markFacts(doc),
  update: (before, { docChanged, newDoc }) => (docChanged ? markFacts(newDoc) : before),
  provide: (field) => EditorView.decorations.from(field),
});

const LONGEST_FACTS = 60;

function markFacts(doc: Text): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const last = doc.line(1).text.trimEnd() === "---" ? endOfFacts(doc) : 0;
  for (let line = 1; line <= last; line += 1) {
    const { from } = doc.line(line);
    builder.add(from, from, Decoration.line({ class: "cm-facts" }));
  }
  return builder.finish();
}

function endOfFacts(doc: Text): number {
  for (let line = 2; line <= Math.min(doc.lines, LONGEST_FACTS); line += 1) {
    if (doc.line(line).text.trimEnd() === "---") return line;
  }
  return 0;
}
