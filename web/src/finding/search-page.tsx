/** One search over everything, with what was found by kind. */

import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "wouter";

import { SEARCH_ID } from "../keyboard/go-to-search";
import { usePageKeys } from "../keyboard/page-keys";
import { focusHeading, FOR_TYPING } from "../layout/page";
import { findingStrings as text } from "../strings-finding";
import { Chips } from "../ui/chip";
import { Empty } from "../ui/empty";
import { QueryError } from "../ui/error-panel";
import { SearchField } from "../ui/search-field";
import { Loading, SkeletonRows } from "../ui/skeleton";
import type { SearchFound, SearchGroup } from "../wire/generated";
import { Hits } from "./hits";
import { moveAmongHits } from "./moving";
import { type Place, placesFor } from "./places";
import { Problems } from "./problems";
import { TeachSearch } from "./teach-search";
import { useFinding } from "./use-finding";

const FIRST = 8;
const MOST = 50;
const KEYS = [
  { keys: ["↓"], does: text.keys.next },
  { keys: ["↑"], does: text.keys.previous },
  { keys: ["Enter"], does: text.keys.open },
];

export function SearchPage(): ReactNode {
  const [typed, setTyped] = useState("");
  const [isWhole, setWhole] = useState(false);
  const { asked, isCurrent, query } = useFinding(typed, isWhole ? MOST : FIRST);
  useWordsInAddress(asked, setTyped);
  usePageKeys(text.keys.heading, KEYS);
  useEffect(() => {
    // A link led here while this part was on its way.
    if (document.activeElement?.matches("main h1") === true) focusHeading();
  }, []);
  const places = placesFor(asked);
  return (
    // eslint-disable-next-line jsx-a11y/no-static-element-interactions -- arrows only move between the links below
    <div onKeyDown={moveAmongHits} {...FOR_TYPING} className="mt-6 max-w-3xl">
      <SearchField
        id={SEARCH_ID}
        keys="/"
        label={text.label}
        placeholder={text.placeholder}
        clear={text.clear}
        about={text.about}
        value={typed}
        onChange={setTyped}
      />
      {asked === "" ? (
        <TeachSearch />
      ) : query.data === undefined ? (
        <Unanswered query={query} />
      ) : (
        <Results
          found={query.data}
          places={places}
          asked={asked}
          isCurrent={isCurrent}
          onMore={() => {
            setWhole(true);
          }}
        />
      )}
    </div>
  );
}

function Unanswered({ query }: { query: ReturnType<typeof useFinding>["query"] }): ReactNode {
  if (query.error !== null) return <QueryError title={text.failed} query={{ ...query, error: query.error }} />;
  return (
    <Loading label={text.loading}>
      <SkeletonRows className="mt-8" />
    </Loading>
  );
}

interface ResultsProps {
  found: SearchFound;
  places: readonly Place[];
  asked: string;
  isCurrent: boolean;
  onMore: () => void;
}

function Results({ found, places, asked, isCurrent, onMore }: ResultsProps): ReactNode {
  const [door, setDoor] = useState<SearchGroup["door"] | null>(null);
  const doors = [...new Set(found.groups.map((group) => group.door))];
  const chosen = door !== null && doors.includes(door) ? door : null;
  const groups = chosen === null ? found.groups : found.groups.filter((group) => group.door === chosen);
  const shownPlaces = chosen === null ? places : [];
  const count = groups.reduce((sum, { hits }) => sum + hits.length, shownPlaces.length);
  const isMore = groups.some(({ more }) => more);
  return (
    <div aria-busy={!isCurrent}>
      <p role="status" className="mt-4 text-ink-soft">
        {isCurrent && count > 0 ? text.count(count, isMore) : isCurrent ? "" : text.loading}
      </p>
      {doors.length > 1 && (
        <Chips
          label={text.filter}
          all={text.all}
          value={chosen}
          options={doors.map((each) => [each, text.doors[each]] as const)}
          onChoose={setDoor}
          className="mt-3"
        />
      )}
      <Problems problems={found.problems} />
      {count === 0 && isCurrent && (
        <div className="mt-6">
          <Empty title={text.none(asked)} hint={text.noneHint} />
        </div>
      )}
      <Hits groups={groups} places={shownPlaces} onMore={onMore} />
    </div>
  );
}

/** The address can be kept and sent: it follows what was asked, not every letter, and leads when it is another one. */
function useWordsInAddress(asked: string, setTyped: (words: string) => void): void {
  const [address, setAddress] = useSearchParams();
  const given = address.get("q") ?? "";
  const [known, setKnown] = useState("");
  if (given !== known) {
    setKnown(given);
    if (given !== asked) setTyped(given);
  }
  useEffect(() => {
    setAddress(asked === "" ? {} : { q: asked }, { replace: true });
  }, [asked, setAddress]);
}
