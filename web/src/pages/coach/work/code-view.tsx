/** The editor itself: CodeMirror with Paige's hints and balloons. It is made once and shown another file's state for each tab. */

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Text } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type ReactNode, useEffect, useRef } from "react";

import type { Decoration } from "../../../wire/generated";
import type { GoTo } from "../state/files";
import { type Balloon, setBalloons } from "./balloons";
import { beside, goToHint, setHints } from "./hints";
import { createState, language, languageOf, plain } from "./setup";
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
