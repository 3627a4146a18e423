/** What changed between two texts, word by word. */

import { type ReactNode, useMemo } from "react";

import { changesBetween } from "./changes";

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
