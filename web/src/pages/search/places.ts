/**
 * Pages by their names and by other words people have for them. The browser knows them, not the server: they are found
 * in the language of the reader, at once, and without a connection.
 */

import type { LucideIcon } from "lucide-react";

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
import { findingStrings } from "./strings";

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
