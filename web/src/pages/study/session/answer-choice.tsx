/** One of several answers: big buttons with letters, which are keys too. */

import { type ReactNode, useEffect, useRef } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { Marked } from "../../../ui/marked";
import { letterOf } from "./flow";
import { useKeys } from "./keys";
import type { Player } from "./use-session";

export function AnswerChoice({ player, choices }: { player: Player; choices: readonly string[] }): ReactNode {
  const { act, isBusy, talk } = player;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    group.current?.focus({ preventScroll: true });
  }, []);
  const choose = (letter: string) => () => {
    if (!isBusy) act({ act: "answer", text: letter });
  };
  useKeys(Object.fromEntries(choices.map((_, place) => [letterOf(place).toLowerCase(), choose(letterOf(place))])));
  const tried = talk.map(({ mine }) => mine);
  return (
    <div ref={group} role="group" aria-label={text.choose} tabIndex={-1} className="mt-6 grid gap-2 outline-none">
      {choices.map((choice, place) => {
        const letter = letterOf(place);
        return (
          <button
            key={letter}
            type="button"
            aria-keyshortcuts={letter}
            aria-disabled={isBusy}
            onClick={choose(letter)}
            className={`flex min-h-13 items-center gap-4 rounded-lg border-2 bg-card px-4 py-2.5 text-left text-lg transition-colors hover:border-accent hover:bg-paper ${tried.includes(letter) ? "border-line text-ink-soft line-through" : "border-edge/60"}`}
          >
            <kbd className="grid size-8 shrink-0 place-items-center rounded-full bg-cover font-sans text-base font-semibold text-door-ink">{letter}</kbd>
            <Marked text={choice} />
          </button>
        );
      })}
    </div>
  );
}
