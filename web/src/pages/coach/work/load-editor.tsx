/** Fetches the editor when a file is opened first. */

import type { ReactNode } from "react";

import { Awaited, late, useLate } from "../../../ui/late";
import { coachStrings } from "../strings";

type Parts = typeof import("./code-view");

const PARTS = late(() => import("./code-view"));

export function WithEditor({ children }: { children: (parts: Parts) => ReactNode }): ReactNode {
  const { part, state, retry } = useLate(PARTS);
  if (part !== null) return children(part);
  return (
    <div className="px-4">
      <Awaited state={state} retry={retry} words={coachStrings.editor} className="my-4 h-80" />
    </div>
  );
}
