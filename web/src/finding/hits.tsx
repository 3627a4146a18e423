/** What was found: a list for each kind, the best kind first. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { findingStrings as text } from "../strings-finding";
import { Button } from "../ui/button";
import { Section } from "../ui/section";
import { When } from "../ui/when";
import type { SearchGroup, SearchHit } from "../wire/generated";
import { KIND_ICONS } from "./looks";
import { HIT } from "./moving";
import { Parts } from "./parts";
import type { Place } from "./places";

const ROW = "group flex items-start gap-3.5 px-4 py-3 -outline-offset-3 transition-colors hover:bg-paper";
const LIST = "divide-y divide-line overflow-hidden rounded-lg border border-line bg-card";

interface HitsProps {
  groups: readonly SearchGroup[];
  places: readonly Place[];
  onMore: () => void;
}

export function Hits({ groups, places, onMore }: HitsProps): ReactNode {
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
