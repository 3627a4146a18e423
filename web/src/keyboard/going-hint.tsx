/** After G: where the next key leads. It is only seen; whoever hears the page knows the keys from the help. */

import type { ReactNode } from "react";

import { strings } from "../strings";
import { GOALS, TO_NOTICES, useGoing } from "./going";

export function GoingHint(): ReactNode {
  const isAsked = useGoing(({ isAsked }) => isAsked);
  if (!isAsked) return null;
  return (
    <div
      aria-hidden
      className="on-board fixed bottom-24 left-1/2 z-40 flex w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-board px-5 py-3 text-board-ink shadow-2xl md:bottom-8"
    >
      <span className="text-board-ink-soft">{strings.shortcuts.goTo}</span>
      {GOALS.map(({ letter, route }) => (
        <Goal key={letter} letter={letter} name={route.title} />
      ))}
      <Goal letter={TO_NOTICES} name={strings.shortcuts.waiting} />
    </div>
  );
}

function Goal({ letter, name }: { letter: string; name: string }): ReactNode {
  return (
    <span className="whitespace-nowrap">
      <kbd className="mr-1.5 rounded bg-board-raised px-1.5 font-sans text-base text-chalk">{letter}</kbd>
      {name}
    </span>
  );
}
