/** Messages of Paige's beside the lines they are about. */

import { type Extension, RangeSetBuilder, StateEffect, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, ViewPlugin, WidgetType } from "@codemirror/view";

import { coachStrings } from "../strings";

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
      for (const effect of effects) if (effect.is(setBalloons)) set = placed(newDoc, effect.value, onDismiss);
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

function placed(doc: Text, found: readonly Balloon[], onDismiss: (id: number) => void): DecorationSet {
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
