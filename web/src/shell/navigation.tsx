/**
 * The links to Home, the four doors and the pages beside them: all of them in the board on the left, or Home, the doors
 * and a button for the rest in a bar at the bottom of a phone.
 */

import { clsx } from "clsx";
import { Ellipsis } from "lucide-react";
import type { ReactNode } from "react";
import { Link, matchRoute, useLocation, useRouter } from "wouter";

import { MAIN_ROUTES, MORE_ROUTES, type Route } from "../routes";
import { strings } from "../strings";
import { useSession } from "../wire/hooks";
import { mayDo } from "../wire/session-cache";
import { useOverlay } from "./overlay";

export const MORE_ID = "more-pages";

const ITEM =
  "group relative flex items-center font-semibold text-board-ink-soft transition-colors hover:text-board-ink " +
  "aria-[current]:text-board-ink";

const PLACES = {
  side: {
    item: "min-h-11 gap-3 rounded-md px-3 hover:bg-board-raised aria-[current]:bg-board-raised",
    mark: "inset-y-2 left-0 w-1",
  },
  bottom: {
    item: "min-h-16 w-full flex-col justify-center gap-0.5 text-sm",
    mark: "inset-x-4 top-0 h-1",
  },
};

/** On the board: the doors, and below a line what stands beside them. */
export function SideLinks(): ReactNode {
  return (
    <>
      <Links routes={MAIN_ROUTES} />
      <hr className="my-3 border-board-raised" />
      <Links routes={MORE_ROUTES} />
    </>
  );
}

/** The pages as a column on a board. */
export function Links({ routes, onFollow }: { routes: readonly Route[]; onFollow?: () => void }): ReactNode {
  const open = useOpen(routes);
  return (
    <ul className="flex flex-col gap-1">
      {open.map((route) => (
        <li key={route.path}>
          <NavigationLink route={route} place="side" onFollow={onFollow} />
        </li>
      ))}
    </ul>
  );
}

export function BottomLinks(): ReactNode {
  const open = useOpen(MAIN_ROUTES);
  return (
    <ul className="grid auto-cols-fr grid-flow-col">
      {open.map((route) => (
        <li key={route.path}>
          <NavigationLink route={route} place="bottom" />
        </li>
      ))}
      <li>
        <MoreButton />
      </li>
    </ul>
  );
}

/** The pages that the person may enter. */
function useOpen(routes: readonly Route[]): Route[] {
  const session = useSession();
  return routes.filter(({ right }) => right === undefined || mayDo(session.data, right));
}

/** The router decides, so that every address that shows a page also marks it: /plan, /plan/ and pages below it. */
function useIsAt(): (route: Route) => boolean {
  const { parser } = useRouter();
  const [path] = useLocation();
  const isBelow = (start: string): boolean => matchRoute(parser, start === "/" ? "/" : `${start}/*?`, path)[0];
  return ({ path: start, also }) => isBelow(start) || (also !== undefined && isBelow(also));
}

interface NavigationLinkProps {
  route: Route;
  place: keyof typeof PLACES;
  onFollow?: (() => void) | undefined;
}

function NavigationLink({ route, place, onFollow }: NavigationLinkProps): ReactNode {
  const isCurrent = useIsAt()(route);
  const Icon = route.icon;
  return (
    <Link
      href={route.path}
      aria-current={isCurrent ? "page" : undefined}
      className={clsx(ITEM, PLACES[place].item)}
      onClick={onFollow}
    >
      <CurrentMark place={place} />
      <Icon aria-hidden className="size-5 shrink-0" />
      {route.title}
    </Link>
  );
}

function MoreButton(): ReactNode {
  const { shown, show, close } = useOverlay();
  const isAt = useIsAt();
  const isOpen = shown === "more";
  return (
    <button
      type="button"
      id={MORE_ID}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      // One of the pages behind it is shown.
      aria-current={MORE_ROUTES.some(isAt) ? "true" : undefined}
      onClick={() => {
        if (isOpen) close();
        else show("more");
      }}
      className={clsx(ITEM, PLACES.bottom.item)}
    >
      <CurrentMark place="bottom" />
      <Ellipsis aria-hidden className="size-5 shrink-0" />
      {strings.more}
    </button>
  );
}

function CurrentMark({ place }: { place: keyof typeof PLACES }): ReactNode {
  return (
    <span
      aria-hidden
      className={clsx("absolute rounded-full bg-chalk opacity-0 group-aria-[current]:opacity-100", PLACES[place].mark)}
    />
  );
}
