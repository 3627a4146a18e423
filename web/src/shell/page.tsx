/** A page: its title in the tab, its heading, its content. */

import { type ReactNode, useEffect } from "react";
import { navigate } from "wouter/use-browser-location";

import { SEARCH_PATH } from "../routes";
import { strings } from "../strings";
import { useUnseenCount } from "./notices/alerts";
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

// Leads to a search: that of the page if it has one, else the one over everything.

export const SEARCH_ID = "search-everything";
/** How a page says that its box is the one the slash leads to. */
const OWN_SEARCH = 'main [aria-keyshortcuts~="/"]';

export function goToSearch(): void {
  const own = document.querySelector(OWN_SEARCH);
  if (own !== null) focusWhole(own);
  else searchEverything();
}

export function searchEverything(words = ""): void {
  navigate(words === "" ? SEARCH_PATH : `${SEARCH_PATH}?${new URLSearchParams({ q: words }).toString()}`);
  focusOnceShown(SEARCH_ID);
}

// Puts the focus on something that may be on its way still.

/** About five seconds. */
const MOST_FRAMES = 300;

/** Focuses the element once it is drawn, and after a dialog that leads there has given the focus back. */
export function focusOnceShown(id: string): void {
  requestAnimationFrame(() => {
    look(id, MOST_FRAMES);
  });
}

function look(id: string, frames: number): void {
  requestAnimationFrame(() => {
    const found = document.getElementById(id);
    if (found !== null) focusWhole(found);
    else if (frames > 0) look(id, frames - 1);
  });
}

/** Focuses an element, and selects what is written in it. */
export function focusWhole(element: Element): void {
  if (!(element instanceof HTMLElement)) return;
  element.focus();
  if (element instanceof HTMLInputElement) element.select();
}
