/** Everything about one guard, and what a person may do with it. */

import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { guardsStrings } from "../../../strings-guard-guards";
import { notify } from "../../../toasts/toasts";
import { BackLink } from "../../../ui/back-link";
import { Button } from "../../../ui/button";
import { Empty } from "../../../ui/empty";
import { Fact, Facts } from "../../../ui/facts";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import { When } from "../../../ui/when";
import type { LearnedGuard, LearnedGuards } from "../../../wire/generated";
import { Examples, History, MatcherFacts } from "./guard-parts";
import { type Move, useTryOut } from "./hooks";
import { MoveDialog } from "./move-dialog";
import { Trial } from "./trial";

const text = guardsStrings.one;
const MOVES: Record<LearnedGuard["standing"], readonly Move[]> = {
  proposed: ["shadow", "rollback"],
  shadow: ["promote", "rollback"],
  production: ["rollback"],
  rolled_back: [],
  retired: [],
};

export function GuardView({ id, found }: { id: string; found: LearnedGuards }): ReactNode {
  const guard = found.guards.find((each) => each.id === id);
  return (
    <div className="mt-5">
      <BackLink href={GUARD_PATHS.guards}>{text.back}</BackLink>
      {guard === undefined ? <Empty title={text.unknown(id)} hint={text.unknownHint} /> : <Whole guard={guard} />}
    </div>
  );
}

function Whole({ guard }: { guard: LearnedGuard }): ReactNode {
  const tryOut = useTryOut(guard.id);
  return (
    <>
      <p className="text-base font-semibold text-door-ink">{guardsStrings.standings[guard.standing]}</p>
      <h2 className="text-2xl [overflow-wrap:anywhere]">{guard.id}</h2>
      <blockquote className="mt-3 max-w-3xl border-l-4 border-spine pl-4 text-lg">
        <Marked text={guard.message} />
      </blockquote>
      <Acts guard={guard} tryOut={tryOut} />
      <div className="mt-6 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
        <Section heading={text.matcher} isSmall className="">
          <MatcherFacts guard={guard} />
        </Section>
        <Watched guard={guard} />
      </div>
      <Trial trial={tryOut.data?.trial ?? guard.trial} />
      <div className="mt-8 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
        <Examples name={text.must} examples={guard.must} />
        <Examples name={text.mustNot} examples={guard.mustNot} />
      </div>
      <History steps={guard.history} />
    </>
  );
}

function Acts({ guard, tryOut }: { guard: LearnedGuard; tryOut: ReturnType<typeof useTryOut> }): ReactNode {
  const [move, setMove] = useState<Move | null>(null);
  const moves = MOVES[guard.standing];
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        {moves.map((each) => (
          <Button
            key={each}
            look={each !== "rollback" ? "primary" : guard.standing === "production" ? "danger" : "quiet"}
            onClick={() => {
              setMove(each);
            }}
          >
            {guardsStrings.acts[each].button}
          </Button>
        ))}
        <Button
          look="quiet"
          disabled={tryOut.isPending}
          onClick={() => {
            tryOut.mutate(undefined, {
              onSuccess: () => {
                notify(guardsStrings.acts.tried(guard.id));
              },
            });
          }}
        >
          {tryOut.isPending ? guardsStrings.acts.trying : guardsStrings.acts.try}
        </Button>
      </div>
      {tryOut.isError && (
        <div className="mt-3">
          <FormError id="try-error" error={tryOut.error} />
        </div>
      )}
      {move !== null && (
        <MoveDialog
          id={guard.id}
          move={move}
          onClose={() => {
            setMove(null);
          }}
        />
      )}
    </>
  );
}

function Watched({ guard }: { guard: LearnedGuard }): ReactNode {
  const { shadow } = guard;
  return (
    <Section heading={text.watched} isSmall className="">
      <Facts>
        <Fact name={text.events}>{shadow.events.toLocaleString(locale())}</Fact>
        <Fact name={text.hits}>{shadow.hits.toLocaleString(locale())}</Fact>
        <Fact name={text.harmless}>{shadow.harmless.toLocaleString(locale())}</Fact>
        <Fact name={text.overridden}>{shadow.overridden.toLocaleString(locale())}</Fact>
        <Fact name={text.since}>
          <When as="recent" at={guard.since} />
        </Fact>
        <Fact name={text.version}>{String(guard.version)}</Fact>
        <Fact name={text.decided}>
          <Link href={`${GUARD_PATHS.decisions}?rule=${encodeURIComponent(`guard:${guard.id}`)}`} className="text-accent underline">
            {text.decisions}
          </Link>
        </Fact>
      </Facts>
    </Section>
  );
}
