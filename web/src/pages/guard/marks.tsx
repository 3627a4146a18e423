/** How results look: an icon and a word, so that no colour has to be seen. */

import { clsx } from "clsx";
import { Check, CircleAlert, CircleHelp, type LucideIcon, PencilLine, ShieldX } from "lucide-react";
import type { ReactNode } from "react";

import { guardStrings } from "../../strings-guard";
import type { GuardEntry, GuardExplained } from "../../wire/generated";

const VERDICTS: Record<GuardEntry["verdict"], { icon: LucideIcon; colour: string }> = {
  denied: { icon: ShieldX, colour: "text-fail" },
  asked: { icon: CircleHelp, colour: "text-warn" },
  changed: { icon: PencilLine, colour: "text-accent" },
  passed: { icon: Check, colour: "text-ok" },
  fault: { icon: CircleAlert, colour: "text-fail" },
};
const AS_VERDICT = { allow: "passed", ask: "asked", deny: "denied" } as const;

export function VerdictMark({ verdict, className }: { verdict: GuardEntry["verdict"]; className?: string }): ReactNode {
  return <Mark verdict={verdict} label={guardStrings.verdicts[verdict]} className={className} />;
}

export function DecisionMark({ decision, className }: { decision: GuardExplained["decision"]; className?: string }): ReactNode {
  return <Mark verdict={AS_VERDICT[decision]} label={guardStrings.judged[decision]} className={className} />;
}

interface MarkProps {
  verdict: GuardEntry["verdict"];
  label: string;
  className?: string | undefined;
}

function Mark({ verdict, label, className }: MarkProps): ReactNode {
  const { icon: Icon, colour } = VERDICTS[verdict];
  return (
    <span className={clsx("inline-flex shrink-0 items-baseline gap-1.5 font-semibold whitespace-nowrap", colour, className)}>
      <Icon aria-hidden className="size-4.5 shrink-0 self-center" />
      {label}
    </span>
  );
}
