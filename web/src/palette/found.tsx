/** What the words find behind all doors, below the pages and commands. */

import { Command } from "cmdk";
import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";

import { KIND_ICONS } from "../finding/looks";
import { Parts } from "../finding/parts";
import { useFinding } from "../finding/use-finding";
import { searchEverything } from "../keyboard/go-to-search";
import { useOverlay } from "../keyboard/overlay";
import { findingStrings } from "../strings-finding";
import type { SearchGroup, SearchHit, SearchProblem } from "../wire/generated";
import { GROUP, ITEM } from "./looks";

const text = findingStrings.palette;
/** Of each kind, and of all together: a palette is short, the page of the search is not. */
const OF_A_KIND = 3;
const OF_ALL = 8;
const EVERYTHING = "search-everything";

interface PaletteHits {
  asked: string;
  rows: { kind: SearchGroup["kind"]; hit: SearchHit }[];
  problems: SearchProblem[];
  isCurrent: boolean;
}

export function usePaletteHits(typed: string): PaletteHits {
  const { asked, isCurrent, query } = useFinding(typed, OF_A_KIND);
  const found = asked === "" ? undefined : query.data;
  const rows = (found?.groups ?? []).flatMap(({ kind, hits }) => hits.map((hit) => ({ kind, hit }))).slice(0, OF_ALL);
  return { asked, rows, problems: found?.problems ?? [], isCurrent };
}

/** The first row of what was found. */
export function firstFound({ asked, rows: [first] }: PaletteHits): string {
  if (first !== undefined) return valueOf(first.kind, first.hit);
  return asked === "" ? "" : EVERYTHING;
}

function valueOf(kind: SearchGroup["kind"], { id }: SearchHit): string {
  return `${kind} ${id}`.trim();
}

export function Found({ hits: { asked, rows } }: { hits: PaletteHits }): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  const [, navigate] = useLocation();
  if (asked === "") return null;
  return (
    <Command.Group heading={text.heading} className={GROUP}>
      {rows.map(({ kind, hit }) => (
        <HitItem
          key={valueOf(kind, hit)}
          kind={kind}
          hit={hit}
          onOpen={() => {
            navigate(hit.link);
            close();
          }}
        />
      ))}
      <Command.Item
        value={EVERYTHING}
        onSelect={() => {
          close();
          searchEverything(asked);
        }}
        className={ITEM}
      >
        <Search aria-hidden className="size-5 shrink-0" />
        <span className="truncate">{text.everything(asked)}</span>
      </Command.Item>
    </Command.Group>
  );
}

/** How much was found, for screen readers, and what could not be searched. */
export function FoundStatus({ hits: { asked, rows, problems, isCurrent } }: { hits: PaletteHits }): ReactNode {
  return (
    <>
      {problems.length > 0 && (
        <p className="border-t border-line px-6 py-3 text-sm text-warn">
          {text.problems(problems.map(({ source }) => findingStrings.sources[source]).join(", "))}
        </p>
      )}
      <p role="status" className="sr-only">
        {asked !== "" && isCurrent ? text.status(rows.length) : ""}
      </p>
    </>
  );
}

interface HitItemProps {
  kind: SearchGroup["kind"];
  hit: SearchHit;
  onOpen: () => void;
}

function HitItem({ kind, hit, onOpen }: HitItemProps): ReactNode {
  const Icon = KIND_ICONS[kind];
  return (
    <Command.Item value={valueOf(kind, hit)} onSelect={onOpen} className={`${ITEM} py-1.5`}>
      <Icon aria-hidden className="size-5 shrink-0" />
      <span className="min-w-0 flex-1 leading-snug">
        <span className="block truncate">
          <Parts parts={hit.title} />
        </span>
        {hit.snippet.length > 0 && (
          <span className="block truncate text-sm text-ink-soft group-aria-selected:text-on-accent">
            <Parts parts={hit.snippet} />
          </span>
        )}
      </span>
      <span className="shrink-0 text-sm text-ink-soft group-aria-selected:text-on-accent max-sm:sr-only">
        {findingStrings.kinds[kind]}
      </span>
    </Command.Item>
  );
}
