/** A page: its title in the tab, its heading, its content. */

import { type ReactNode, useEffect } from "react";

import { strings } from "../strings";
import { useUnseenCount } from "./notices/seen";
import { noticeStrings } from "./notices/strings";

/** How a page says that somebody who comes here wants to type. */
export const FOR_TYPING = { "data-for-typing": "" };
const FIRST_BOX = "main [data-for-typing] input";

/** Names the page in the tab, behind the number of what waits unseen. */
export function usePageTitle(title: string): void {
  const count = useUnseenCount((unseen) => unseen.count);
  useEffect(() => {
    const page = strings.pageTitle(title);
    document.title = count === 0 ? page : noticeStrings.tabTitle(count, page);
  }, [title, count]);
}

/** Moves the focus to the heading of the page, so that readers hear where they are; to its box if it is for typing. */
export function focusHeading(): void {
  const wanted = document.querySelector<HTMLElement>(FIRST_BOX) ?? document.querySelector<HTMLElement>("main h1");
  wanted?.focus({ preventScroll: true });
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
