/** How results look: an icon and a word, so that no colour has to be seen. */

import { Check, CircleAlert, CircleHelp, type LucideIcon, Minus, PencilLine, ShieldX } from "lucide-react";
import type { ReactNode } from "react";

import { Mark, type Tone } from "../../ui/data/badge";
import type { GuardEntry, GuardExplained } from "../../wire/generated";
import { guardStrings } from "./strings";

const VERDICTS: Record<GuardEntry["verdict"], { icon: LucideIcon; tone: Tone }> = {
  denied: { icon: ShieldX, tone: "fail" },
  asked: { icon: CircleHelp, tone: "warn" },
  changed: { icon: PencilLine, tone: "accent" },
  passed: { icon: Check, tone: "ok" },
  fault: { icon: CircleAlert, tone: "fail" },
};
const JUDGED: Record<GuardExplained["decision"], { icon: LucideIcon; tone: Tone }> = {
  allow: VERDICTS.passed,
  pass: { icon: Minus, tone: "soft" },
  ask: VERDICTS.asked,
  deny: VERDICTS.denied,
};

export function VerdictMark({ verdict, className }: { verdict: GuardEntry["verdict"]; className?: string }): ReactNode {
  return (
    <Mark {...VERDICTS[verdict]} className={className}>
      {guardStrings.verdicts[verdict]}
    </Mark>
  );
}

export function DecisionMark({ decision, className }: { decision: GuardExplained["decision"]; className?: string }): ReactNode {
  return (
    <Mark {...JUDGED[decision]} className={className}>
      {guardStrings.judged[decision]}
    </Mark>
  );
}
