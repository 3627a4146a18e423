/** The parts of a guard in words: what it is about, its examples, what happened to it. */

import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { GUARD_PATHS } from "../../../routes";
import { useServices } from "../../../services";
import { CommandText, Fact, Facts } from "../../../ui/data/facts";
import { When } from "../../../ui/data/when";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import type {
  LearnedExample,
  LearnedGuard,
  LearnedGuards,
  LearnedLessons,
  LearnedMatcher,
  LearnedStep,
} from "../../../wire/generated";
import { guardsStrings } from "./strings";

const text = guardsStrings.one;

export function MatcherFacts({ guard }: { guard: LearnedGuard }): ReactNode {
  return (
    <Facts>
      <Fact name={text.event}>
        {guardsStrings.decisions[guard.decision]} {guardsStrings.events[guard.event]}
      </Fact>
      <MatcherParts matcher={guard.matcher} />
      <Fact name={text.holds}>{holdsFor(guard.matcher)}</Fact>
      <Fact name={text.scope}>{guardsStrings.scopes[guard.scope]}</Fact>
      <Fact name={text.pattern}>{guard.pattern}</Fact>
      <Fact name={text.evidence}>{guard.evidence.length > 0 && <Evidence guard={guard} />}</Fact>
    </Facts>
  );
}

function Evidence({ guard: { evidence } }: { guard: LearnedGuard }): ReactNode {
  const [first] = evidence;
  return (
    <>
      {text.traces(evidence.length)}
      {first !== undefined && (
        <>
          {": "}
          <Link href={`${GUARD_PATHS.graph}?id=${encodeURIComponent(first)}`} className="text-accent underline">
            {first}
          </Link>
        </>
      )}
    </>
  );
}

/** Without names it is for everybody: the coding CLIs, and the agents of Paige. */
function holdsFor({ agents, roles }: LearnedMatcher): string {
  return agents.length + roles.length === 0 ? text.everybody : "";
}

/** Only the parts that are given: each of them has to fit. */
export function MatcherParts({ matcher }: { matcher: LearnedMatcher }): ReactNode {
  const shown: [keyof LearnedMatcher, string][] = [
    ["tools", matcher.tools.join(", ")],
    ["agents", matcher.agents.join(", ")],
    ["roles", matcher.roles.join(", ")],
    ["command", matcher.command.join(" ")],
    ["paths", matcher.paths.join(", ")],
    ["fields", Object.entries(matcher.fields).map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join(", ")],
    ["contains", matcher.contains.join(", ")],
    ["unless", matcher.unless.join(", ")],
  ];
  return shown.map(([part, words]) => (
    <Fact key={part} name={text.parts[part]}>
      {words !== "" && <code className="text-[0.95em]">{words}</code>}
    </Fact>
  ));
}

export function Examples({ name, examples }: { name: string; examples: readonly LearnedExample[] }): ReactNode {
  return (
    <section aria-label={name}>
      <h3 className="text-lg">{name}</h3>
      {examples.length === 0 && <p className="mt-1 text-ink-soft">{text.noExamples}</p>}
      <ul className="mt-2 flex flex-col gap-2">
        {examples.map((example, place) => (
          <li key={place}>
            <p className="text-[0.9375rem] text-ink-soft">
              {[example.tool, example.agent || example.role, ...example.facts].filter((each) => each !== "").join(" · ")}
            </p>
            <CommandText text={example.text} />
          </li>
        ))}
      </ul>
    </section>
  );
}

export function History({ steps }: { steps: readonly LearnedStep[] }): ReactNode {
  return (
    <Section heading={text.history} isSmall className="mt-8">
      <ol className="flex flex-col gap-2 border-l-2 border-rule pl-4">
        {steps.toReversed().map((step, place) => (
          <li key={place}>
            <p>
              <span className="font-semibold">{guardsStrings.standings[step.stage]}</span>{" "}
              <span className="text-base text-ink-soft">
                <When as="recent" at={step.at} />
                {step.by !== "" && ` ${text.by(step.by)}`}
                {step.forced && (
                  <>
                    {" · "}
                    <strong className="text-warn">{text.forced}</strong>
                  </>
                )}
              </span>
            </p>
            {step.why !== "" && <Marked className="block" text={step.why} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}

// The server's answers about learned guards, as React hooks.

const GUARDS_KEY = ["guards"] as const;
/** Shadow counts grow while agents work, and nobody tells the page. */
const LOOK_AGAIN_MS = 10_000;

export function useGuards(): UseQueryResult<LearnedGuards> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...GUARDS_KEY, "all"], queryFn: () => learning.guards(), refetchInterval: LOOK_AGAIN_MS });
}

export function useLessons(): UseQueryResult<LearnedLessons> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...GUARDS_KEY, "lessons"], queryFn: () => learning.lessons() });
}

export type Move = "shadow" | "promote" | "rollback";

/** What a person says about a move. */
interface Said {
  why: string;
  force: boolean;
}

/** Takes a guard to another stage, with the reason that is kept. */
export function useMove(id: string, move: Move, onDone: () => void): UseMutationResult<LearnedGuard, Error, Said> {
  const { learning } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ why, force }) => {
      if (move === "rollback") return learning.rollBack(id, { why });
      return move === "shadow" ? learning.shadow(id, { why, force }) : learning.promote(id, { why, force });
    },
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: GUARDS_KEY });
    },
  });
}

/** Tries a guard on its examples, on harmless actions and on the past; nothing moves. */
export function useTryOut(id: string): UseMutationResult<LearnedGuard, Error, undefined> {
  const { learning } = useServices().api;
  return useMutation({ mutationFn: () => learning.tryOut(id) });
}
