/** The editor for code and worksheets: CodeMirror in the language of the file, in the page's own colours. */

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { javascriptLanguage } from "@codemirror/lang-javascript";
import { markdownKeymap, markdownLanguage } from "@codemirror/lang-markdown";
import { pythonLanguage } from "@codemirror/lang-python";
import { HighlightStyle, indentUnit, type Language, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { ReactNode } from "react";

import { colours, look, useEditor } from "../../../ui/forms/use-editor";

export interface WorkEditorProps {
  label: string;
  path: string;
  /** The text at first; another one replaces what is there. */
  value: string;
  readOnly: boolean;
  onChange: (text: string) => void;
  onSave: () => void;
}

const LANGUAGES: Record<string, Language> = {
  py: pythonLanguage,
  js: javascriptLanguage,
  mjs: javascriptLanguage,
  ts: javascriptLanguage,
  md: markdownLanguage,
};

const codeColours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
  { tag: [tags.function(tags.definition(tags.variableName)), tags.className], color: "var(--door-ink)", fontWeight: "600" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
]);

export function WorkEditor(props: WorkEditorProps): ReactNode {
  const { place } = useEditor(props, extensions);
  return <div ref={place} className="study-editor h-full min-h-56" />;
}

function extensions({ path, label, readOnly }: WorkEditorProps, save: () => boolean): Extension {
  const ending = path.split(".").at(-1) ?? "";
  const language = LANGUAGES[ending];
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    language === undefined ? [] : new LanguageSupport(language),
    indentUnit.of(ending === "py" ? "    " : "  "),
    syntaxHighlighting(codeColours),
    syntaxHighlighting(colours),
    EditorView.lineWrapping,
    look,
    EditorState.readOnly.of(readOnly),
    // The Tab key is not bound: it leaves the editor, as it leaves every field. Ctrl and ] indent.
    keymap.of([{ key: "Mod-s", run: save }, ...(ending === "md" ? markdownKeymap : []), ...historyKeymap, ...defaultKeymap]),
    EditorView.contentAttributes.of({ "aria-label": label, spellcheck: ending === "md" ? "true" : "false", tabindex: "0" }),
  ];
}
