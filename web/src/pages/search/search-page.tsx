/** One search over everything, with what was found by kind. */

import { type KeyboardEvent, type ReactNode, useEffect, useState } from "react";
import { Link, useSearchParams } from "wouter";

import { DOOR_ROUTES, MEMORY_ROUTE } from "../../routes";
import { focusHeading, focusWhole, FOR_TYPING, SEARCH_ID } from "../../shell/page";
import { usePageKeys } from "../../shell/shortcuts";
import { Button } from "../../ui/button";
import { Empty } from "../../ui/data/answered";
import { When } from "../../ui/data/when";
import { QueryError } from "../../ui/error-panel";
import { Chips } from "../../ui/forms/choice";
import { SearchField } from "../../ui/forms/search-field";
import { Marked } from "../../ui/marked";
import { Notice, Section } from "../../ui/section";
import { Loading, SkeletonRows } from "../../ui/skeleton";
import type { SearchGroup, SearchHit, SearchProblem, SearchResults } from "../../wire/generated";
import { KIND_ICONS, Parts, type Place, placesFor, useFinding } from "./found";
import { findingStrings as text, findingStrings } from "./strings";

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
  found: SearchResults;
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

const ROW = "group flex items-start gap-3.5 px-4 py-3 -outline-offset-3 transition-colors hover:bg-paper";
const LIST = "divide-y divide-line overflow-hidden rounded-lg border border-line bg-card";

interface HitsProps {
  groups: readonly SearchGroup[];
  places: readonly Place[];
  onMore: () => void;
}

/** What was found: a list for each kind, the best kind first. */
function Hits({ groups, places, onMore }: HitsProps): ReactNode {
  return (
    <>
      {places.length > 0 && (
        <Section heading={text.pages} className="mt-8">
          <ul className={LIST}>
            {places.map(({ title, path, icon: Icon }) => (
              <li key={path}>
                <Link href={path} {...HIT} className={ROW}>
                  <Icon aria-hidden className="mt-1 size-5 shrink-0 text-ink-soft" />
                  <span className="font-semibold group-hover:text-accent">{title}</span>
                </Link>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {groups.map((group) => (
        <HitGroup key={group.kind} group={group} onMore={onMore} />
      ))}
    </>
  );
}

function HitGroup({ group, onMore }: { group: SearchGroup; onMore: () => void }): ReactNode {
  return (
    <div data-door={group.door === "memory" ? "desk" : group.door}>
      <Section heading={text.kinds[group.kind]} className="mt-8">
        <ul className={LIST}>
          {group.hits.map((hit) => (
            <li key={hit.id}>
              <Hit hit={hit} kind={group.kind} />
            </li>
          ))}
        </ul>
        {group.more && (
          <Button look="quiet" className="mt-3" onClick={onMore} aria-label={`${text.more}: ${text.kinds[group.kind]}`}>
            {text.more}
          </Button>
        )}
      </Section>
    </div>
  );
}

function Hit({ hit, kind }: { hit: SearchHit; kind: SearchGroup["kind"] }): ReactNode {
  const Icon = KIND_ICONS[kind];
  const isPlace = kind === "lesson" || kind === "concept";
  return (
    <Link href={hit.link} {...HIT} className={ROW}>
      <span className="mt-0.5 grid size-8 shrink-0 place-items-center rounded-md bg-cover text-door-ink">
        <Icon aria-hidden className="size-4.5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-3">
          <span className="min-w-0 font-semibold wrap-anywhere group-hover:text-accent">
            <Parts parts={hit.title} />
          </span>
          {isPlace && hit.within !== "" && <span className="text-sm wrap-anywhere text-ink-soft">{hit.within}</span>}
          {hit.at !== null && (
            <span className="text-sm text-ink-soft sm:ml-auto">
              <When at={hit.at} />
            </span>
          )}
        </span>
        {hit.snippet.length > 0 && (
          <span className="mt-0.5 line-clamp-2 text-base leading-snug wrap-anywhere text-ink-soft">
            <Parts parts={hit.snippet} />
          </span>
        )}
        <span className="mt-0.5 block text-sm wrap-anywhere text-ink-soft">{text.because(hit.why, hit.origin)}</span>
      </span>
    </Link>
  );
}

/** What could not be searched, by name. */
function Problems({ problems }: { problems: readonly SearchProblem[] }): ReactNode {
  if (problems.length === 0) return null;
  return (
    <div className="mt-6">
      <Notice tone="warn" title={text.problems}>
        <ul>
          {problems.map(({ source, message, hint }) => (
            <li key={source}>
              <Marked text={`${text.problem(text.sources[source], message)} ${hint ?? ""}`} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

const teachText = findingStrings.teach;

const ROWS = [
  ...DOOR_ROUTES.map(({ door, icon, title }) => ({ door, icon, title, holds: teachText[door] })),
  { door: "desk", icon: MEMORY_ROUTE.icon, title: MEMORY_ROUTE.title, holds: teachText.memory },
];

/** Before anything is searched: what can be found. */
function TeachSearch(): ReactNode {
  return (
    <section className="mt-8">
      <h2 className="text-xl">{teachText.heading}</h2>
      <p className="mt-2 text-ink-soft">{teachText.lead}</p>
      <ul className="mt-5 flex flex-col gap-4">
        {ROWS.map(({ door, icon: Icon, title, holds }) => (
          <li key={title} data-door={door} className="flex items-start gap-3.5">
            <span className="mt-0.5 grid size-9 shrink-0 place-items-center rounded-md bg-cover text-door-ink">
              <Icon aria-hidden className="size-5" />
            </span>
            <div>
              <p className="font-semibold">{title}</p>
              <p className="text-ink-soft">{holds}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-ink-soft">{teachText.keys}</p>
    </section>
  );
}

// Arrow keys lead from the box through what was found, and back.

/** What a hit is marked with, so that it is found again. */
const HIT = { "data-hit": "" };

function moveAmongHits(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const target = event.target;
  if (!(target instanceof HTMLElement) || (target.id !== SEARCH_ID && !target.matches("[data-hit]"))) return;
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-hit]")];
  const next = hits.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  const box = document.getElementById(SEARCH_ID);
  if (next >= 0) hits[next]?.focus();
  else if (box !== null && target !== box) focusWhole(box);
}
