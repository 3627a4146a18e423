/** What a hint says: when the mouse rests on its lines, and when one goes to it with F8. */

import { EditorSelection, type EditorState, type Extension, StateEffect, StateField } from "@codemirror/state";
import { type Command, EditorView, hoverTooltip, keymap, showTooltip, type Tooltip } from "@codemirror/view";

import { coachStrings } from "../../../../strings-coach";
import { type Hint, hintField, hintsAt, hintsOf, setHints } from "./hint-field";

const text = coachStrings.hints;

/** The hint that was gone to, or null to close it. */
const openHint = StateEffect.define<Tooltip | null>();

const opened = StateField.define<Tooltip | null>({
  create: () => null,
  update: (before, { effects, docChanged, selection }) => {
    for (const effect of effects) {
      if (effect.is(openHint)) return effect.value;
      if (effect.is(setHints)) return null;
    }
    return docChanged || selection !== undefined ? null : before;
  },
  provide: (field) => showTooltip.from(field),
});

/** `onShown` hears of every hint that somebody reads. */
export function hintTooltips(onShown: (hint: Hint) => void): Extension {
  const hover = hoverTooltip((view, place) => {
    const hints = hintsAt(view.state, place);
    if (hints.length === 0) return null;
    const { from, to } = view.state.doc.lineAt(place);
    return { pos: from, end: to, above: true, create: () => card(view.state, hints, onShown) };
  });
  const go = (direction: 1 | -1): Command => (view) => {
    const hint = beside(view.state, direction);
    if (hint !== null) goToHint(view, hint, onShown);
    return true;
  };
  const close: Command = (view) => {
    if (view.state.field(opened) === null) return false;
    view.dispatch({ effects: openHint.of(null) });
    // Escape goes on: Escape, then Tab, leaves the editor.
    return false;
  };
  return [
    hintField,
    opened,
    hover,
    keymap.of([
      // Elsewhere F8 goes to the notices.
      { key: "F8", run: go(1), shift: go(-1), stopPropagation: true, preventDefault: true },
      { key: "Escape", run: close },
    ]),
  ];
}

/** Puts the cursor at a hint, shows what it says and has it read out. */
export function goToHint(view: EditorView, hint: Hint, onShown: (hint: Hint) => void): void {
  const tooltip: Tooltip = { pos: hint.from, above: true, create: () => card(view.state, [hint], onShown) };
  const where = linesOf(view.state, hint);
  view.dispatch({ selection: EditorSelection.cursor(hint.from), effects: EditorView.scrollIntoView(hint.from, { y: "center" }) });
  view.dispatch({ effects: [openHint.of(tooltip), EditorView.announce.of(`${where}: ${hint.words}`)] });
}

/** The next hint after the cursor's line, or the one before it; at the end it begins anew. */
export function beside(state: EditorState, direction: 1 | -1): Hint | null {
  const { from } = state.doc.lineAt(state.selection.main.head);
  const hints = hintsOf(state);
  if (direction === 1) return hints.find((hint) => hint.from > from) ?? hints[0] ?? null;
  return hints.findLast((hint) => hint.from < from) ?? hints.at(-1) ?? null;
}

export function linesOf({ doc }: EditorState, { from, to }: Hint): string {
  return text.lines(doc.lineAt(from).number, doc.lineAt(to).number);
}

function card(state: EditorState, hints: Hint[], onShown: (hint: Hint) => void): { dom: HTMLElement } {
  const dom = document.createElement("div");
  dom.className = "cm-paige-card";
  for (const hint of hints) {
    const head = document.createElement("strong");
    head.textContent = `${text.styles[hint.style] ?? hint.style} · ${linesOf(state, hint)}`;
    const body = document.createElement("p");
    body.textContent = hint.words;
    dom.append(head, body);
    onShown(hint);
  }
  return { dom };
}
