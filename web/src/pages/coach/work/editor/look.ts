/** How code looks in the editor, beyond what it shares with the editor of plans. */

import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

function tint(colour: string, share: number): string {
  return `color-mix(in srgb, ${colour} ${share}%, transparent)`;
}

export const codeLook = EditorView.theme({
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

export const codeColours = HighlightStyle.define([
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
