/** Whether the curriculum claims of a lesson can be relied on, at a glance and one by one. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Marked } from "../../../ui/marked";
import type { PlanEvidence } from "../../../wire/generated";
import { EVIDENCE_LOOKS, type EvidenceState, evidenceState, PointerLink } from "../../../ui/markdown/pointer-link";

const text = planStrings.evidence;

export function EvidenceSummary({ evidence }: { evidence: PlanEvidence[] }): ReactNode {
  if (evidence.length === 0) return null;
  const count = (state: EvidenceState): number => evidence.filter((each) => evidenceState(each) === state).length;
  const worst = (["broken", "unverified", "holds"] as const).find((state) => count(state) > 0) ?? "holds";
  const { icon: Icon, color } = EVIDENCE_LOOKS[worst];
  const says = [
    text.holds(count("holds") + count("unverified")),
    count("unverified") > 0 ? text.unverified(count("unverified")) : "",
    count("broken") > 0 ? text.broken(count("broken")) : "",
  ];
  return (
    <details className="mt-5 rounded-lg border border-line px-4 py-2.5" open={worst === "broken"}>
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-2.5 hover:text-accent">
        <Icon aria-hidden className={`size-5 shrink-0 ${color}`} />
        <span className="font-semibold">{text.heading}</span>
        <span className="text-ink-soft">{says.filter((part) => part !== "").join(" · ")}</span>
      </summary>
      <ul className="mt-3 flex flex-col gap-3 pb-1">
        {evidence.map((each, place) => (
          <li key={place}>
            <Row evidence={each} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Row({ evidence }: { evidence: PlanEvidence }): ReactNode {
  const { code, file, start, end, quote, grade, reason } = evidence;
  const state = evidenceState(evidence);
  return (
    <>
      {start === null || end === null ? (
        <strong>{code}</strong>
      ) : (
        <PointerLink pointer={{ path: file, start, end }} code={code} />
      )}
      {quote !== "" && <span> “{quote}”</span>}
      {state === "broken" && reason !== null && <Marked className="block text-fail" text={reason} />}
      {state === "unverified" && <span className="block text-ink-soft">{text.unverifiedHint(grade ?? "?")}</span>}
    </>
  );
}
