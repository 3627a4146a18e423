/** A page: its title in the tab, its heading, its content. */

import { type ReactNode, useEffect } from "react";

import { strings } from "../strings";

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = strings.pageTitle(title);
  }, [title]);
}

/** Moves the focus to the heading of the page, so that readers hear where they are. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

interface PageProps {
  title: string;
  /** What the page calls itself, when that is not the name in the tab. */
  heading?: string;
  lead?: ReactNode;
  children?: ReactNode;
}

export function Page({ title, heading = title, lead, children }: PageProps): ReactNode {
  usePageTitle(title);
  return (
    <>
      <h1 tabIndex={-1} className="text-3xl sm:text-4xl">
        {heading}
      </h1>
      {lead !== undefined && <div className="mt-4 max-w-2xl text-lg text-ink-soft">{lead}</div>}
      {children}
    </>
  );
}
