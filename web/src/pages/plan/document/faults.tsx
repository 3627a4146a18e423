/** What a lesson still lacks before it is used. */

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Marked } from "../../../ui/marked";
import type { PlanLesson } from "../../../wire/generated";
import { useAddress } from "../address";

const text = planStrings.document;
/** More of them are folded away: they would stand before the lesson like a wall. */
const FEW = 3;

export function Faults({ lesson: { path, faults } }: { lesson: PlanLesson }): ReactNode {
  const { openFile } = useAddress();
  if (faults.length === 0) return null;
  return (
    <details
      open={faults.length <= FEW}
      className="mt-5 rounded-lg border border-l-4 border-line border-l-warn bg-paper px-4 py-2.5"
    >
      <summary className="flex cursor-pointer items-center gap-2.5 hover:text-accent">
        <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
        <span className="font-semibold">{text.faults}</span>
        <span className="text-ink-soft">{text.faultCount(faults.length)}</span>
      </summary>
      <ul className="mt-2 flex flex-col gap-1.5 pb-1 text-base">
        {faults.map(({ line, message }, place) => (
          <li key={place} className="flex items-baseline gap-3">
            {line !== null && (
              <button
                type="button"
                className="prose-link shrink-0"
                onClick={() => {
                  openFile(path, line);
                }}
              >
                {text.line(line)}
              </button>
            )}
            <Marked text={message} />
          </li>
        ))}
      </ul>
    </details>
  );
}
