/**
 * Paige's highlights in the editor: a set of ranges in the state that moves with the text, so that a
 * hint stays at its lines while one types above it.
 */

import {
  EditorSelection,
  type EditorState,
  type Extension,
  RangeSet,
  RangeSetBuilder,
  RangeValue,
  StateEffect,
  StateField,
  type Text,
} from "@codemirror/state";
import {
  type Command,
  Decoration,
  type DecorationSet,
  EditorView,
  gutter,
  GutterMarker,
  hoverTooltip,
  keymap,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  WidgetType,
} from "@codemirror/view";

import type { Decoration as Highlight } from "../../../wire/generated";
import { coachStrings } from "../strings";

const text = coachStrings.hints;

/** A highlight where it stands in the text now. */
interface Hint {
  from: number;
  to: number;
  style: string;
  words: string;
  /** The lines Paige named: what tells one hint from another. */
  named: { start: number; end: number };
}

class HintRange extends RangeValue {
  override startSide = -1;
  override endSide = 1;

  constructor(
    readonly style: string,
    readonly words: string,
    readonly named: { start: number; end: number },
  ) {
    super();
  }

  override eq(other: HintRange): boolean {
    return other.style === this.style && other.words === this.words && other.named === this.named;
  }
}

interface HintState {
  ranges: RangeSet<HintRange>;
  lines: DecorationSet;
  marks: RangeSet<HintMark>;
}

const NOTHING: HintState = {
  ranges: RangeSet.of<HintRange>([]),
  lines: Decoration.none,
  marks: RangeSet.of<HintMark>([]),
};

/** Puts these highlights in place of those that are there. */
export const setHints = StateEffect.define<readonly Highlight[]>();

export const hintField = StateField.define<HintState>({
  create: () => NOTHING,
  update: (before, { changes, docChanged, effects, newDoc }) => {
    let state = before;
    if (docChanged && before.ranges.size > 0) {
      state = {
        ranges: before.ranges.map(changes),
        lines: before.lines.map(changes),
        marks: before.marks.map(changes),
      };
    }
    for (const effect of effects) if (effect.is(setHints)) state = placed(newDoc, effect.value);
    return state;
  },
  provide: (field) => [
    EditorView.decorations.from(field, ({ lines }) => lines),
    gutter({
      class: "cm-hint-gutter",
      markers: (view) => view.state.field(field).marks,
      initialSpacer: () => markOf("hint"),
    }),
  ],
});

function placed(doc: Text, highlights: readonly Highlight[]): HintState {
  const ranges: ReturnType<HintRange["range"]>[] = [];
  // Of two highlights of one line the newest is seen.
  const styles = new Map<number, string>();
  const firsts = new Map<number, string>();
  for (const { start, end, style, hoverText } of highlights) {
    if (start > doc.lines) continue;
    const last = Math.min(Math.max(start, end), doc.lines);
    const value = new HintRange(style, hoverText ?? text.noWords, { start, end });
    ranges.push(value.range(doc.line(start).from, doc.line(last).to));
    for (let line = start; line <= last; line += 1) styles.set(line, style);
    firsts.set(start, style);
  }
  const lines = [...styles].map(([line, style]) => LINES[nameOf(style)].range(doc.line(line).from));
  const marks = [...firsts].map(([line, style]) => markOf(style).range(doc.line(line).from));
  return { ranges: RangeSet.of(ranges, true), lines: Decoration.set(lines, true), marks: RangeSet.of(marks, true) };
}

/** Every hint of the text, from its top; those that were typed away are not in it. */
export function hintsOf(state: EditorState): Hint[] {
  const found: Hint[] = [];
  state.field(hintField).ranges.between(0, state.doc.length, (from, to, { style, words, named }) => {
    found.push({ from, to, style, words, named });
  });
  return found;
}

/** The hints at a place in the text. */
export function hintsAt(state: EditorState, place: number): Hint[] {
  const { from, to } = state.doc.lineAt(place);
  const found: Hint[] = [];
  state.field(hintField).ranges.between(from, to, (start, end, { style, words, named }) => {
    found.push({ from: start, to: end, style, words, named });
  });
  return found;
}

type Name = "hint" | "focus" | "warning";

function nameOf(style: string): Name {
  return style === "focus" || style === "warning" ? style : "hint";
}

const LINES = {
  hint: Decoration.line({ class: "cm-paige cm-paige-hint" }),
  focus: Decoration.line({ class: "cm-paige cm-paige-focus" }),
  warning: Decoration.line({ class: "cm-paige cm-paige-warning" }),
};

/** Signs that differ in shape, for those who see no difference in colour. */
const SIGNS: Record<Name, string> = { hint: "●", focus: "▶", warning: "▲" };

class HintMark extends GutterMarker {
  constructor(readonly name: Name) {
    super();
  }

  override eq(other: HintMark): boolean {
    return other.name === this.name;
  }

  override toDOM(): Node {
    const sign = document.createElement("span");
    sign.textContent = SIGNS[this.name];
    sign.className = `cm-paige-sign cm-paige-sign-${this.name}`;
    sign.title = text.styles[this.name] ?? this.name;
    return sign;
  }
}

const MARKS = { hint: new HintMark("hint"), focus: new HintMark("focus"), warning: new HintMark("warning") };

function markOf(style: string): HintMark {
  return MARKS[nameOf(style)];
}

// What a hint says: when the mouse rests on its lines, and when one goes to it with F8.

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

function linesOf({ doc }: EditorState, { from, to }: Hint): string {
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

// Messages of Paige's beside the lines they are about.

export interface Balloon {
  id: number;
  line: number;
  text: string;
  kind: string;
}

export const setBalloons = StateEffect.define<readonly Balloon[]>();

export function balloons(onDismiss: (id: number) => void): Extension {
  const field = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (before, { changes, docChanged, effects, newDoc }) => {
      let set = docChanged ? before.map(changes) : before;
      for (const effect of effects) if (effect.is(setBalloons)) set = placedOfBalloons(newDoc, effect.value, onDismiss);
      return set;
    },
    provide: (own) => EditorView.decorations.from(own),
  });
  return [field, room];
}

/** Tells the style how wide the part of the text is that one sees. */
const room = ViewPlugin.define((view) => {
  const measure = (): void => {
    view.dom.style.setProperty("--coach-room", `${view.scrollDOM.clientWidth}px`);
  };
  measure();
  return {
    update: ({ geometryChanged }) => {
      if (geometryChanged) measure();
    },
  };
});

/** A text whose `backticked` parts are set as code. */
function marked(words: string): Node[] {
  return words.split(/`([^`]+)`/).map((part, at) => {
    const node = document.createElement(at % 2 === 1 ? "code" : "span");
    node.textContent = part;
    return node;
  });
}

function placedOfBalloons(doc: Text, found: readonly Balloon[], onDismiss: (id: number) => void): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  for (const balloon of [...found].sort((one, other) => one.line - other.line)) {
    const { to } = doc.line(Math.min(Math.max(1, balloon.line), doc.lines));
    builder.add(to, to, Decoration.widget({ widget: new BalloonWidget(balloon, onDismiss), block: true, side: 1 }));
  }
  return builder.finish();
}

class BalloonWidget extends WidgetType {
  constructor(
    readonly balloon: Balloon,
    readonly onDismiss: (id: number) => void,
  ) {
    super();
  }

  override eq(other: BalloonWidget): boolean {
    return other.balloon.id === this.balloon.id && other.balloon.text === this.balloon.text;
  }

  override toDOM(): HTMLElement {
    const { id, text, kind } = this.balloon;
    const place = document.createElement("div");
    place.className = "cm-paige-place";
    const dom = document.createElement("div");
    dom.className = "cm-paige-balloon";
    const head = document.createElement("strong");
    head.textContent = `${coachStrings.editor.balloon}: ${coachStrings.messages.kinds[kind] ?? kind}`;
    const words = document.createElement("p");
    words.append(...marked(text));
    const dismiss = document.createElement("button");
    dismiss.type = "button";
    // For the mouse: with the keyboard the list of messages has the same button.
    dismiss.tabIndex = -1;
    dismiss.textContent = coachStrings.editor.dismiss;
    dismiss.addEventListener("click", () => {
      this.onDismiss(id);
    });
    dom.append(head, words, dismiss);
    place.append(dom);
    return place;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}
