/** A text with the words that were looked for marked in it. */

import type { ReactNode } from "react";

import type { SearchPart } from "../wire/generated";

export function Parts({ parts }: { parts: readonly SearchPart[] }): ReactNode {
  return parts.map(({ text, hit }, place) =>
    hit ? (
      <mark key={place} className="rounded-xs bg-chalk/40 text-ink group-aria-selected:bg-transparent group-aria-selected:text-inherit group-aria-selected:underline">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}
