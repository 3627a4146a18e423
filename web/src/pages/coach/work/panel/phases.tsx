/** The phases of the plan, with the one that is worked on now. */

import { clsx } from "clsx";
import { Circle, CircleCheck, CircleDot } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Marked } from "../../../../ui/marked";
import type { PhaseInfo } from "../../../../wire/generated";
import { useCoachSession } from "../../state/session";
import { PanelSection } from "./panel-section";

const text = coachStrings.phases;

const ICONS = { pending: Circle, active: CircleDot, complete: CircleCheck };

export function Phases(): ReactNode {
  const { phases, memoryConnection, difficulty } = useCoachSession();
  const active = phases.find(({ status }) => status === "active");
  return (
    <PanelSection
      title={text.heading}
      aside={active !== undefined && <p className="text-base text-ink-soft">{text.current(active.number, phases.length)}</p>}
    >
      {phases.length === 0 ? (
        <p className="text-ink-soft">{text.empty}</p>
      ) : (
        <ol className="flex flex-col gap-2">
          {phases.map((phase) => (
            <Phase key={phase.number} phase={phase} />
          ))}
        </ol>
      )}
      {difficulty !== null && phases.length > 0 && <p className="mt-2 text-base text-ink-soft">{text.difficulty(difficulty)}</p>}
      {memoryConnection !== null && (
        <p className="mt-1 text-base">
          <strong>{text.memory}</strong> {memoryConnection}
        </p>
      )}
    </PanelSection>
  );
}

function Phase({ phase: { number, title, description, status } }: { phase: PhaseInfo }): ReactNode {
  const Icon = ICONS[status];
  const isActive = status === "active";
  return (
    <li
      aria-current={isActive ? "step" : undefined}
      className={clsx("flex gap-2.5 rounded-md", isActive && "-mx-2 border-l-4 border-spine bg-paper px-2 py-1.5")}
    >
      <Icon
        aria-hidden
        className={clsx("mt-1 size-4 shrink-0", status === "complete" ? "text-ok" : isActive ? "text-door-ink" : "text-ink-soft")}
      />
      <div className="min-w-0">
        <p className={isActive ? "font-semibold" : undefined}>
          {number}. {title} <span className="text-sm font-semibold text-ink-soft">{text.status[status]}</span>
        </p>
        {isActive && <Marked className="block text-base" text={description} />}
      </div>
    </li>
  );
}
