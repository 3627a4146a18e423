/** The editor itself: CodeMirror with markdown, problems beside their lines, and the page's own colours. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
import { LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import type { Extension, Text } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { type ReactNode, useEffect } from "react";

import { colours, facts, look, useEditor } from "../../../ui/forms/use-editor";
import type { PlanProblem } from "../../../wire/generated";

export interface CodeEditorProps {
  label: string;
  /** The text at first; another one replaces what is there. */
  value: string;
  problems: PlanProblem[];
  /** The line to go to, and how often that was asked for. */
  goTo: { line: number; time: number } | null;
  onChange: (text: string) => void;
  onSave: () => void;
}

export function CodeEditor(props: CodeEditorProps): ReactNode {
  const { place, view } = useEditor(props, extensions);
  const { problems, goTo } = props;
  useEffect(() => {
    const editor = view.current;
    if (editor === null) return;
    editor.dispatch(setDiagnostics(editor.state, problems.map((problem) => diagnostic(editor.state.doc, problem))));
  }, [problems, view]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo === null) return;
    const { from } = lineAt(editor.state.doc, goTo.line);
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    if (goTo.time > 0) editor.focus();
  }, [goTo, view]);

  return <div ref={place} className="h-full min-h-64" />;
}

function extensions({ label }: CodeEditorProps, save: () => boolean): Extension {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    search({ top: true }),
    // Not `markdown()`: it brings HTML, CSS and JavaScript along, three times the size of all else.
    new LanguageSupport(markdownLanguage),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    look,
    facts,
    // The Tab key is not bound: it leaves the editor, as it leaves every field.
    keymap.of([{ key: "Mod-s", run: save }, ...markdownKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true", tabindex: "0" }),
  ];
}

function lineAt(doc: Text, line: number): { from: number; to: number } {
  return doc.line(Math.min(Math.max(1, line), doc.lines));
}

function diagnostic(doc: Text, { line, message }: PlanProblem): Diagnostic {
  const { from, to } = lineAt(doc, line ?? 1);
  return { from, to, severity: "warning", message };
}
