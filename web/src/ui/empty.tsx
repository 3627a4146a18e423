/** A place where nothing is yet, and how something gets there; or where nothing fits what was asked. */

import type { ReactNode } from "react";

import { Button } from "./button";
import { Marked } from "./marked";

export function Empty({ title, hint, children }: { title: string; hint: string; children?: ReactNode }): ReactNode {
  return (
    <div className="max-w-2xl rounded-lg border border-dashed border-edge p-6">
      <p className="text-lg font-semibold">{title}</p>
      <Marked className="mt-1 block text-ink-soft" text={hint} />
      {children}
    </div>
  );
}

interface NothingFoundProps {
  words: { nothing: string; nothingHint: string; takeAway: string };
  /** Whether there are filters to take away. */
  isFiltered: boolean;
  onTakeAway: () => void;
}

export function NothingFound({ words, isFiltered, onTakeAway }: NothingFoundProps): ReactNode {
  return (
    <Empty title={words.nothing} hint={words.nothingHint}>
      {isFiltered && (
        <Button look="quiet" className="mt-4" onClick={onTakeAway}>
          {words.takeAway}
        </Button>
      )}
    </Empty>
  );
}

/** The same in a line, within a part of a page. */
export function EmptyLine({ children }: { children: ReactNode }): ReactNode {
  return <p className="rounded-lg border border-dashed border-edge px-4 py-3 text-ink-soft">{children}</p>;
}
