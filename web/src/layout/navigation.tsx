/** The links to Home, the four doors and the memory: in the board on the left, or in a bar at the bottom of a phone. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link, useRoute } from "wouter";

import { type Route, ROUTES } from "../routes";

const ITEM =
  "group relative flex items-center font-semibold text-board-ink-soft transition-colors hover:text-board-ink " +
  "aria-[current=page]:text-board-ink";

const PLACES = {
  side: {
    list: "flex flex-col gap-1",
    item: "min-h-11 gap-3 rounded-md px-3 hover:bg-board-raised aria-[current=page]:bg-board-raised",
    mark: "inset-y-2 left-0 w-1",
  },
  bottom: {
    list: "grid grid-cols-6",
    item: "min-h-16 flex-col justify-center gap-0.5 text-sm",
    mark: "inset-x-4 top-0 h-1",
  },
};

export function NavigationLinks({ place }: { place: keyof typeof PLACES }): ReactNode {
  return (
    <ul className={PLACES[place].list}>
      {ROUTES.map((route) => (
        <li key={route.path}>
          <NavigationLink route={route} place={place} />
        </li>
      ))}
    </ul>
  );
}

function NavigationLink({ route, place }: { route: Route; place: keyof typeof PLACES }): ReactNode {
  // The router decides, so that every address that shows a page also marks it: /plan, /plan/ and pages below it.
  const [isCurrent] = useRoute(route.path === "/" ? "/" : `${route.path}/*?`);
  const classes = PLACES[place];
  const Icon = route.icon;
  return (
    <Link href={route.path} aria-current={isCurrent ? "page" : undefined} className={clsx(ITEM, classes.item)}>
      <span
        aria-hidden
        className={clsx("absolute rounded-full bg-chalk opacity-0 group-aria-[current=page]:opacity-100", classes.mark)}
      />
      <Icon aria-hidden className="size-5 shrink-0" />
      {route.title}
    </Link>
  );
}
