/** What everything in a conversation may ask about it. */

import { createContext, useContext } from "react";

import type { PlanPlace } from "../../../wire/generated";
import { ReadingPlace } from "./reading-place";

interface Conversing {
  /** The session that is read. */
  session: string;
  place: ReadingPlace;
  /** What was said instead of each other, under the id of each run. */
  branches: Readonly<Record<string, PlanPlace[] | undefined>>;
}

const nowhere: Conversing = { session: "", place: new ReadingPlace(() => undefined), branches: {} };

export const ConversingContext = createContext(nowhere);

export function useConversing(): Conversing {
  return useContext(ConversingContext);
}
