/** What the editor tells the page, and when. */

import type { EditorState } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";

import type { TextRange } from "../../../wire/generated";

/** So long after the last key what was typed is told. */
const REST_MS = 250;

/** As many lines around a selection go with a question. */
const AROUND = 20;

export interface Spot {
  cursor: { line: number; column: number };
  /** What is selected, or null. */
  selected: { range: TextRange; text: string; around: string } | null;
}

export interface EditorEvents {
  onType: (path: string, text: string, cursor: { line: number; column: number }) => void;
  onSave: () => void;
  onExplain: (spot: Spot) => void;
  /** Somebody selected text, or nothing any more. */
  onSelect: (spot: Spot) => void;
  onHintShown: (named: { start: number; end: number }) => void;
  onDismiss: (id: number) => void;
  onScroll: () => void;
}

export function spotOf(state: EditorState | undefined): Spot {
  if (state === undefined) return { cursor: { line: 1, column: 1 }, selected: null };
  const { doc, selection } = state;
  const { from, to, head, empty } = selection.main;
  const line = doc.lineAt(head);
  const cursor = { line: line.number, column: head - line.from + 1 };
  if (empty) return { cursor, selected: null };
  const first = doc.lineAt(from);
  const last = doc.lineAt(to);
  const above = doc.line(Math.max(1, first.number - AROUND)).from;
  const below = doc.line(Math.min(doc.lines, last.number + AROUND)).to;
  return {
    cursor,
    selected: {
      range: {
        startLine: first.number,
        startCol: from - first.from + 1,
        endLine: last.number,
        endCol: to - last.from + 1,
      },
      text: doc.sliceString(from, to),
      around: doc.sliceString(above, below),
    },
  };
}

/** Gathers what is typed and tells it when the hands rest: a long text is not copied at every key. */
export class Typing {
  path = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isWaiting = false;
  private isQuiet = false;
  private told: string[] = [];

  constructor(
    private readonly latest: { current: EditorEvents },
    private readonly view: EditorView,
  ) {}

  changed(): void {
    if (this.isQuiet) return;
    this.isWaiting = true;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.flush();
    }, REST_MS);
  }

  flush(): void {
    clearTimeout(this.timer);
    if (!this.isWaiting) return;
    this.isWaiting = false;
    const text = this.view.state.doc.toString();
    this.told.push(text);
    this.latest.current.onType(this.path, text, this.spot().cursor);
  }

  /** Whether a text is one that was told from here, or will be replaced by one in a moment. */
  isEcho(value: string): boolean {
    const at = this.told.indexOf(value);
    this.told.splice(0, at + 1);
    return at >= 0 || this.isWaiting;
  }

  /** Changes the text without telling: the page knows it already. */
  quietly(change: () => void): void {
    this.isQuiet = true;
    change();
    this.isQuiet = false;
  }

  spot(): Spot {
    return spotOf(this.view.state);
  }
}
