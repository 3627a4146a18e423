/** The page of the search: its heading at once, the rest when it is first opened. */

import { Search } from "lucide-react";
import type { ReactNode } from "react";

import { words } from "../../locale/words";
import { DoorFrame } from "../../ui/door-frame";
import { Awaited, late, useLate } from "../../ui/late";

/** What the page of the search says before the rest of it is there. */
export const findingRoute = words("findingRoute", {
  title: "Search",
  lead: "Everything behind all doors",
  loading: "Opening the search…",
  failed: "The search could not be opened",
  failedHint: "Paige may have stopped or been updated. Reload the page when it answers.",
});

const PAGE = late(() => import("./search-page"));

export function SearchRoute(): ReactNode {
  const { part, state, retry } = useLate(PAGE);
  return (
    <DoorFrame door="desk" icon={Search} heading={findingRoute.title} lead={findingRoute.lead}>
      {part !== null && <part.SearchPage />}
      <Awaited state={state} retry={retry} words={findingRoute} className="mt-8 h-96 max-w-3xl" />
    </DoorFrame>
  );
}
