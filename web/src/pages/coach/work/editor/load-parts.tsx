/** Fetches the editor when a file is opened first. */

import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Awaited } from "../../../../ui/awaited";
import { late, useLate } from "../../../../ui/late";

type Parts = typeof import("./parts");

const PARTS = late(() => import("./parts"));

export function WithEditor({ children }: { children: (parts: Parts) => ReactNode }): ReactNode {
  const { part, state, retry } = useLate(PARTS);
  if (part !== null) return children(part);
  return (
    <div className="px-4">
      <Awaited state={state} retry={retry} words={coachStrings.editor} className="my-4 h-80" />
    </div>
  );
}
