/** How every page of a door begins: the cover of its book with a label on it, and the ways to its other pages. */

import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { usePageTitle } from "../shell/page";
import type { DoorStatus } from "../wire/generated";

interface DoorFrameProps {
  /** The door, or the desk for pages beside the doors. */
  door: DoorStatus["id"] | "desk";
  icon: LucideIcon;
  heading: string;
  /** A page below the first one: it is named in the tab, and read out behind the heading. */
  page?: string | undefined;
  /** The name in the tab, where it is not the heading. */
  title?: string;
  /** A lower cover, for pages with much on them. */
  isSmall?: boolean;
  /** Below the heading, on the label. */
  lead?: ReactNode;
  /** Beside the label; small screens have no room for it. */
  about?: ReactNode;
  /** What can be done here, on the cover. */
  actions?: ReactNode;
  /** The ways between the pages of the door. */
  ways?: { label: string; ways: readonly Way[]; here: string | null };
  children?: ReactNode;
}

export function DoorFrame(props: DoorFrameProps): ReactNode {
  const { door, icon: Icon, heading, page, lead, about, actions, ways, children } = props;
  usePageTitle(page ?? props.title ?? heading);
  const isSmall = props.isSmall ?? page !== undefined;
  return (
    <div data-door={door}>
      <div className={clsx("cover flex flex-wrap items-center gap-x-8 gap-y-4 pr-5 pl-9 sm:pr-6 sm:pl-12", isSmall ? "py-3" : "py-5")}>
        <div className={clsx("label inline-flex items-center gap-4 px-6 max-sm:w-full", isSmall ? "py-3" : "py-4")}>
          <Icon aria-hidden className="size-8 shrink-0 text-door-ink" />
          <div className="min-w-0">
            <h1 tabIndex={-1} className={isSmall ? "text-2xl sm:text-3xl" : "text-3xl"}>
              {heading}
              {page !== undefined && <span className="sr-only">: {page}</span>}
            </h1>
            {Boolean(lead) && <p className="text-ink-soft">{lead}</p>}
          </div>
        </div>
        {Boolean(about) && <div className="max-w-lg min-w-56 flex-1 max-sm:hidden">{about}</div>}
        {Boolean(actions) && (
          <div data-unprinted className="flex flex-wrap items-center gap-2 sm:ml-auto">
            {actions}
          </div>
        )}
      </div>
      {ways !== undefined && <Ways {...ways} />}
      {children}
    </div>
  );
}

interface Way {
  name: string;
  href: string;
}

interface WaysProps {
  /** What the row is called. */
  label: string;
  ways: readonly Way[];
  /** The address of the page it stands on; null when that is none of them. */
  here: string | null;
  className?: string;
}

/** The row of links between the pages of a door. */
function Ways({ label, ways, here, className }: WaysProps): ReactNode {
  return (
    <nav data-unprinted aria-label={label} className={clsx("flex flex-wrap gap-1 sm:gap-2", className ?? "mt-5")}>
      {ways.map(({ name, href }) => (
        <Link
          key={href}
          href={href}
          aria-current={href === here ? "page" : undefined}
          className={clsx(
            "flex min-h-11 items-center rounded-md border px-1.5 font-semibold transition-colors max-sm:text-[0.9375rem] sm:px-4",
            href === here ? "border-spine bg-cover text-ink" : "border-line bg-card text-ink-soft hover:border-accent hover:text-accent",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
