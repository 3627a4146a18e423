/** One guard in a column: what it says, how it did, and the way to everything about it. */

import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { GUARD_PATHS } from "../../../routes";
import { guardsStrings } from "../../../strings-guard-guards";
import { Marked } from "../../../ui/marked";
import { When } from "../../../ui/when";
import type { LearnedGuard } from "../../../wire/generated";

const text = guardsStrings.card;

export function GuardCard({ guard }: { guard: LearnedGuard }): ReactNode {
  const { shadow } = guard;
  const isWatched = guard.standing !== "proposed" && shadow.events > 0;
  return (
    <Link
      href={`${GUARD_PATHS.guards}?id=${encodeURIComponent(guard.id)}`}
      data-guard={guard.id}
      className="block rounded-md border border-line bg-card p-3 transition-colors hover:border-accent"
    >
      <span className="block font-semibold [overflow-wrap:anywhere]">{guard.id}</span>
      <Marked className="mt-1 line-clamp-3 text-[0.9375rem] leading-snug" text={guard.message} />
      <span className="mt-2 flex flex-col gap-0.5 text-[0.9375rem] text-ink-soft">
        <TrialMark trial={guard.trial} />
        {isWatched && (
          <span className="tabular-nums">
            {text.shadow(shadow.hits, shadow.events)}, {text.harmless(shadow.harmless)}
          </span>
        )}
        {guard.standing === "production" && shadow.hits > 0 && <span className="tabular-nums">{text.overridden(shadow.overridden, shadow.hits)}</span>}
        <span>
          {guardsStrings.decisions[guard.decision]} · {guardsStrings.scopes[guard.scope]}
        </span>
        <span>
          {guard.standing === "retired" && `${guardsStrings.standings.retired} · `}
          <When as="recent" at={guard.since} />
        </span>
      </span>
    </Link>
  );
}

export function TrialMark({ trial }: { trial: LearnedGuard["trial"] }): ReactNode {
  const [Icon, colour, words] =
    trial === null
      ? [CircleDashed, "text-ink-soft", text.untried]
      : trial.sound
        ? [CircleCheck, "text-ok", text.sound]
        : [CircleX, "text-fail", text.unsound];
  return (
    <span className={`flex items-center gap-1.5 ${colour}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {words}
    </span>
  );
}
