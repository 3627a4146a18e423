/** The Memory page: its heading at once, everything else when it is opened first. */

import type { ReactNode } from "react";
import { navigate } from "wouter/use-browser-location";

import { MEMORY_ROUTE } from "../../routes";
import { focusOnceShown, focusWhole } from "../../shell/page";
import { strings } from "../../strings";
import { DoorFrame } from "../../ui/door-frame";
import { late, LatePages, nothing } from "../../ui/late";
import { NotFoundPage } from "../not-found";

const text = strings.memory;
const PATHS = { memory: MEMORY_ROUTE.path };
const PAGES = { memory: late(() => import("./memory-page")) };

export function MemoryRoute(): ReactNode {
  return (
    <LatePages
      paths={PATHS}
      pages={PAGES}
      props={nothing}
      frame={(_, page) => (
        <DoorFrame door="desk" icon={MEMORY_ROUTE.icon} heading={text.title} about={text.lead}>
          {page}
        </DoorFrame>
      )}
      notFound={<NotFoundPage />}
    />
  );
}

// Leads to the search box of the memory, from wherever one is.

export const SEARCH_ID = "memory-search";

export function goToMemorySearch(): void {
  if (document.getElementById(SEARCH_ID) === null) navigate(MEMORY_ROUTE.path);
  focusOnceShown(SEARCH_ID);
}

export function focusSearch(): void {
  const box = document.getElementById(SEARCH_ID);
  if (box !== null) focusWhole(box);
}
