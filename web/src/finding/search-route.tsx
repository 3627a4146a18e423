/** The page of the search: its heading at once, the rest when it is first opened. */

import { Search } from "lucide-react";
import type { ReactNode } from "react";

import { findingRoute as text } from "../strings-finding-route";
import { Awaited } from "../ui/awaited";
import { DoorFrame } from "../ui/door-frame";
import { late, useLate } from "../ui/late";

const PAGE = late(() => import("./search-page"));

export function SearchRoute(): ReactNode {
  const { part, state, retry } = useLate(PAGE);
  return (
    <DoorFrame door="desk" icon={Search} heading={text.title} lead={text.lead}>
      {part !== null && <part.SearchPage />}
      <Awaited state={state} retry={retry} words={text} className="mt-8 h-96 max-w-3xl" />
    </DoorFrame>
  );
}
