/** Everything an editor for code is made of. */

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";

import { colours, look } from "../../../../ui/editor-look";
import { balloons } from "./balloons";
import type { CodeViewProps } from "./code-view";
import { hintTooltips } from "./hint-tooltip";
import { codeColours, codeLook } from "./look";
import type { Typing } from "./typing";

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
