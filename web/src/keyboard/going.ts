/** Two keys that lead to a page: G, then the letter of the page. */

import { create } from "zustand";
import { navigate } from "wouter/use-browser-location";

import { DOOR_ROUTES, MEMORY_ROUTE, type Route, ROUTES, SETTINGS_ROUTE, TRACES_ROUTE } from "../routes";
import { useOverlay } from "./overlay";

export const GO = "G";
/** So long the second key is waited for. */
const WAIT_MS = 1500;

const LETTERS: Readonly<Record<string, string>> = {
  "/": "H",
  [DOOR_ROUTES[0].path]: "P",
  [DOOR_ROUTES[1].path]: "S",
  [DOOR_ROUTES[2].path]: "C",
  [DOOR_ROUTES[3].path]: "U",
  [MEMORY_ROUTE.path]: "M",
  [TRACES_ROUTE.path]: "T",
  [SETTINGS_ROUTE.path]: "E",
};

export interface Goal {
  letter: string;
  route: Route;
}

export const GOALS: readonly Goal[] = ROUTES.flatMap((route) => {
  const letter = LETTERS[route.path];
  return letter === undefined ? [] : [{ letter, route }];
});
/** G and N: not to a page, but to what waits for the person. */
export const TO_NOTICES = "N";

interface Going {
  /** Whether the next key says where to. */
  isAsked: boolean;
}

export const useGoing = create<Going>()(() => ({ isAsked: false }));

let timer: ReturnType<typeof setTimeout> | undefined;

export function beginGoing(): void {
  clearTimeout(timer);
  useGoing.setState({ isAsked: true });
  timer = setTimeout(stopGoing, WAIT_MS);
}

export function stopGoing(): void {
  clearTimeout(timer);
  useGoing.setState({ isAsked: false });
}

/** Goes where the second key says; says whether it leads anywhere. */
export function goBy(pressed: string): boolean {
  stopGoing();
  const letter = pressed.toUpperCase();
  if (letter === TO_NOTICES) {
    useOverlay.getState().show("notices");
    return true;
  }
  const goal = GOALS.find((each) => each.letter === letter);
  if (goal !== undefined) navigate(goal.route.path);
  return goal !== undefined;
}
