/** A curriculum code in a text: it opens the line it points at, and says whether that can be relied on. */

import { CircleAlert, CircleHelp, Quote } from "lucide-react";
import { createContext, type ReactNode, useContext } from "react";

import { planStrings } from "../../strings-plan";
import type { PlanEvidence } from "../../wire/generated";
import { MarkdownLinksContext } from "./links";
import { isSamePointer, type Pointer } from "./pointer";

const text = planStrings.evidence;

export type EvidenceState = "holds" | "unverified" | "broken";

/** What was checked about the pointers of the text around; empty where nothing was. */
export const EvidenceContext = createContext<readonly PlanEvidence[]>([]);

export const EVIDENCE_LOOKS = {
  holds: { icon: Quote, color: "text-ok" },
  unverified: { icon: CircleHelp, color: "text-warn" },
  broken: { icon: CircleAlert, color: "text-fail" },
} as const;

export function evidenceState({ valid, verified }: PlanEvidence): EvidenceState {
  if (!valid) return "broken";
  return verified ? "holds" : "unverified";
}

export function PointerLink({ pointer, code }: { pointer: Pointer; code: string }): ReactNode {
  const links = useContext(MarkdownLinksContext);
  const checked = useContext(EvidenceContext);
  const found = checked.find(
    ({ file, start, end, code: its }) =>
      its === code && start !== null && end !== null && isSamePointer({ path: file, start, end }, pointer),
  );
  const state = found === undefined ? null : evidenceState(found);
  const { icon: Icon, color } = EVIDENCE_LOOKS[state ?? "holds"];
  if (links === null) return <code>{code}</code>;
  const isOpen = links.lines !== null && isSamePointer(links.lines, pointer);
  return (
    <>
      <button
        type="button"
        className="prose-pointer"
        aria-expanded={isOpen}
        aria-label={text.open(code)}
        onClick={() => {
          links.openLines(pointer);
        }}
      >
        <Icon aria-hidden className={`size-4 shrink-0 ${state === null ? "text-ink-soft" : color}`} />
        {code}
      </button>
      {state !== null && state !== "holds" && <strong className={`prose-flag ${color}`}>{text.mark[state]}</strong>}
    </>
  );
}
