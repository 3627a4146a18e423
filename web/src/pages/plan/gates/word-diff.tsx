/** What changed between two texts, word by word. */

import { diffWordsWithSpace } from "diff";
import { type ReactNode, useMemo } from "react";

export function WordDiff({ before, after, className = "" }: { before: string; after: string; className?: string }): ReactNode {
  const pieces = useMemo(() => changesBetween(before, after), [before, after]);
  return (
    <p className={`plan-diff whitespace-pre-wrap ${className}`}>
      {pieces.map(({ kind, text }, place) => {
        if (kind === "added") return <ins key={place}>{text}</ins>;
        if (kind === "removed") return <del key={place}>{text}</del>;
        return <span key={place}>{text}</span>;
      })}
    </p>
  );
}

// What changed between two texts, in pieces that can be read: not every word by itself.

interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/**
 * The pieces of both texts in order. Where several words in a row were replaced, the old ones stand
 * together and the new ones after them: "Which shape starts" against "When does", not "WhichWhen shapedoes".
 */
export function changesBetween(before: string, after: string): Piece[] {
  const pieces: Piece[] = [];
  let removed = "";
  let added = "";
  const settle = (): void => {
    if (removed !== "") pieces.push({ kind: "removed", text: removed });
    if (added !== "") pieces.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  const parts = diffWordsWithSpace(before.trim(), after.trim());
  parts.forEach((part, place) => {
    if (part.removed) removed += part.value;
    else if (part.added) added += part.value;
    else if (isGap(part.value) && removed !== "" && added !== "" && isChange(parts[place + 1])) {
      removed += part.value;
      added += part.value;
    } else {
      settle();
      pieces.push({ kind: "same", text: part.value });
    }
  });
  settle();
  return pieces;
}

/** Spaces within a line say nothing. */
function isGap(text: string): boolean {
  return /^[^\S\n]+$/.test(text);
}

function isChange(part: { added: boolean; removed: boolean } | undefined): boolean {
  return part !== undefined && (part.added || part.removed);
}
