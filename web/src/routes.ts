/** The pages of the app, in the order of the navigation. */

import {
  Activity,
  Brain,
  GraduationCap,
  House,
  type LucideIcon,
  MessagesSquare,
  NotebookPen,
  Settings,
  ShieldCheck,
} from "lucide-react";

import { strings } from "./strings";
import type { DoorStatus } from "./wire/generated";

export interface Route {
  path: string;
  title: string;
  icon: LucideIcon;
  /** The door behind this page; Home is in front of all of them, Memory beside them. */
  door: DoorStatus["id"] | null;
  /** Another address that belongs to it. */
  also?: string;
  /** What one must be allowed to do here, where people have accounts. */
  right?: string;
}

export const DOOR_ROUTES = [
  { path: "/plan", title: strings.doors.plan, icon: NotebookPen, door: "plan", right: "plan" },
  { path: "/study", title: strings.doors.study, icon: GraduationCap, door: "study", right: "study" },
  { path: "/coach", title: strings.doors.coach, icon: MessagesSquare, door: "coach", right: "coach" },
  { path: "/guard", title: strings.doors.guard, icon: ShieldCheck, door: "guard", right: "guard" },
] as const satisfies Route[];

/** The pages behind the Study door. */
export const STUDY_PATHS = {
  today: "/study",
  courses: "/study/courses",
  settings: "/study/settings",
  course: "/study/:course",
  session: "/study/:course/session",
  progress: "/study/:course/progress",
} as const;

/** The address of a page of one course. */
export function coursePath(page: "course" | "session" | "progress", course: string): string {
  return STUDY_PATHS[page].replace(":course", encodeURIComponent(course));
}

/** The pages behind the Guard door. */
export const GUARD_PATHS = {
  decisions: "/guard",
  graph: "/guard/graph",
  guards: "/guard/guards",
  orchestra: "/guard/orchestra",
} as const;

export type DoorRoute = (typeof DOOR_ROUTES)[number];

export const MEMORY_ROUTE = {
  path: "/memory",
  title: strings.memory.title,
  icon: Brain,
  door: null,
  right: "memory",
} as const satisfies Route;

export const TRACES_ROUTE = {
  path: "/traces",
  title: strings.traces,
  icon: Activity,
  door: null,
  also: "/costs",
} as const satisfies Route;

/** The pages about runs; what models cost stands beside them. */
export const TRACES_PATHS = { runs: "/traces", costs: "/costs", run: "/traces/:id" } as const;

/** The address of one run. */
export function runPath(id: string): string {
  return TRACES_PATHS.run.replace(":id", encodeURIComponent(id));
}

export const SETTINGS_ROUTE = {
  path: "/settings",
  title: strings.settings,
  icon: Settings,
  door: null,
  right: "settings",
} as const satisfies Route;

/** The pages of the settings. */
export const SETTINGS_PATHS = {
  model: "/settings",
  passcode: "/settings/passcode",
  agents: "/settings/agents",
  checks: "/settings/checks",
  data: "/settings/data",
} as const;

/** The pages about accounts, which are there only where people have them. */
export const ACCOUNT_PATHS = { you: "/you", people: "/you/people", audit: "/you/audit" } as const;

/** What Home and the doors are: the pages that a phone shows without a menu. */
export const MAIN_ROUTES: readonly Route[] = [{ path: "/", title: strings.home, icon: House, door: null }, ...DOOR_ROUTES];

/** The pages beside the doors. */
export const MORE_ROUTES: readonly Route[] = [MEMORY_ROUTE, TRACES_ROUTE, SETTINGS_ROUTE];

export const ROUTES: readonly Route[] = [...MAIN_ROUTES, ...MORE_ROUTES];

/** Everything of all doors, searched at once. It is reached by the search, not by the navigation. */
export const SEARCH_PATH = "/search";

/** A worksheet that somebody with a code answers; it stands outside of the app. */
export const ANSWER_PATH = "/answer/:token?";

/** What a teacher handed out, behind the Plan door. */
export const HANDOUT_PATHS = { list: "/plan/handouts", one: "/plan/handouts/:id" } as const;

/** The address of one handout. */
export function handoutPath(id: string): string {
  return HANDOUT_PATHS.one.replace(":id", encodeURIComponent(id));
}
