/** A text with the words that were looked for marked in it. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import {
  Brain,
  FileText,
  GraduationCap,
  Lightbulb,
  type LucideIcon,
  MessagesSquare,
  NotebookPen,
  Puzzle,
  ShieldCheck,
  ShieldQuestion,
  Swords,
  Workflow,
} from "lucide-react";
import type { ReactNode } from "react";

import {
  DOOR_ROUTES,
  GUARD_PATHS,
  MEMORY_ROUTE,
  type Route,
  ROUTES,
  SETTINGS_PATHS,
  SETTINGS_ROUTE,
  STUDY_PATHS,
  TRACES_PATHS,
  TRACES_ROUTE,
} from "../../routes";
import { useServices } from "../../services";
import { useRested } from "../../ui/media";
import type { SearchGroup, SearchResults, TextPart } from "../../wire/generated";
import { findingStrings } from "./strings";

export function Parts({ parts }: { parts: readonly TextPart[] }): ReactNode {
  return parts.map(({ text, hit }, place) =>
    hit ? (
      <mark key={place} className="rounded-xs bg-chalk/40 text-ink group-aria-selected:bg-transparent group-aria-selected:text-inherit group-aria-selected:underline">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** How hits of each kind look. */
export const KIND_ICONS: Record<SearchGroup["kind"], LucideIcon> = {
  session: NotebookPen,
  lesson: FileText,
  file: FileText,
  course: GraduationCap,
  concept: Lightbulb,
  coaching: MessagesSquare,
  gap: Puzzle,
  kata: Swords,
  memory: Brain,
  document: FileText,
  guard: ShieldCheck,
  decision: ShieldQuestion,
  trace: Workflow,
};

const REST_MS = 180;
/** One letter finds everything, which is nothing. */
const LEAST = 2;

interface Finding {
  /** The words that were asked; empty while there are too few. */
  asked: string;
  /** Whether the answer is one to these words. */
  isCurrent: boolean;
  query: UseQueryResult<SearchResults>;
}

/** What is found behind all doors, once the words have rested; a question nobody waits for any more is taken back. */
export function useFinding(words: string, limit: number): Finding {
  const { api } = useServices();
  const rested = useRested(words.trim(), REST_MS);
  const asked = rested.length < LEAST ? "" : rested;
  const query = useQuery({
    queryKey: ["search", asked, limit],
    queryFn: ({ signal }) => api.finding.search(asked, limit, signal),
    enabled: asked !== "",
    // What was found stays while more letters are typed, so that nothing jumps.
    placeholderData: keepPreviousData,
    meta: { isQuiet: true },
  });
  return { asked, isCurrent: !query.isPlaceholderData && words.trim() === rested, query };
}

// Pages by their names and by other words people have for them. The browser knows them, not the server: they are found
// in the language of the reader, at once, and without a connection.

export interface Place {
  title: string;
  about: string;
  path: string;
  icon: LucideIcon;
}

const [, STUDY, COACH, GUARD] = DOOR_ROUTES;

const WHERE: Record<keyof typeof findingStrings.places, readonly [path: string, route: Route]> = {
  today: [STUDY_PATHS.today, STUDY],
  courses: [STUDY_PATHS.courses, STUDY],
  studySettings: [STUDY_PATHS.settings, STUDY],
  work: ["/coach/work", COACH],
  decisions: [GUARD_PATHS.decisions, GUARD],
  rules: [`${GUARD_PATHS.decisions}?tab=rules`, GUARD],
  explain: [`${GUARD_PATHS.decisions}?tab=explain`, GUARD],
  hosts: [`${GUARD_PATHS.decisions}?tab=hosts`, GUARD],
  graph: [GUARD_PATHS.graph, GUARD],
  guards: [GUARD_PATHS.guards, GUARD],
  orchestra: [GUARD_PATHS.orchestra, GUARD],
  documents: [`${MEMORY_ROUTE.path}?tab=documents`, MEMORY_ROUTE],
  policies: [`${MEMORY_ROUTE.path}?tab=policies`, MEMORY_ROUTE],
  costs: [TRACES_PATHS.costs, TRACES_ROUTE],
  model: [SETTINGS_PATHS.model, SETTINGS_ROUTE],
  passcode: [SETTINGS_PATHS.passcode, SETTINGS_ROUTE],
  agents: [SETTINGS_PATHS.agents, SETTINGS_ROUTE],
  checks: [SETTINGS_PATHS.checks, SETTINGS_ROUTE],
  data: [SETTINGS_PATHS.data, SETTINGS_ROUTE],
};

/** Pages below the ones of the navigation. */
export const INNER_PLACES: readonly Place[] = (Object.keys(WHERE) as (keyof typeof WHERE)[]).map((name) => {
  const [path, { icon }] = WHERE[name];
  return { ...findingStrings.places[name], path, icon };
});

const PLACES: readonly Place[] = [
  ...ROUTES.map(({ title, path, icon }) => ({ title, about: "", path, icon })),
  ...INNER_PLACES,
];

/** Pages whose words begin with the words that are looked for. */
export function placesFor(asked: string): Place[] {
  const terms = fold(asked).split(/\s+/).filter(Boolean);
  if (terms.length === 0) return [];
  return PLACES.filter(({ title, about }) => {
    const known = fold(`${title} ${about}`).split(/[^\p{L}\p{N}]+/u);
    return terms.every((term) => known.some((word) => word.startsWith(term)));
  });
}

function fold(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}
