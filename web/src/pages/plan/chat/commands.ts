/** The commands one may choose from, and the one that is meant when nobody chooses. */

import { planStrings } from "../../../strings-plan";
import type { PlanCommand, PlanRun, PlanSession } from "../../../wire/generated";

const text = planStrings.composer;
const FIRST = "create-lesson";
const NEXT = "refine-lesson";

export function commandLabel({ name, local }: PlanCommand, isLocal: boolean): string {
  const label = text.commands[name] ?? name;
  return isLocal && !local ? text.needsModel(label) : label;
}

/** What was chosen; else what one usually wants: a lesson at first, then changes to it. */
export function chosenCommand(
  commands: PlanCommand[],
  chosen: string | null,
  session: PlanSession | null,
  lastRun: PlanRun | undefined,
): PlanCommand | undefined {
  const wanted = chosen ?? (session === null ? FIRST : lastRun?.lesson == null ? session.command : NEXT) ?? FIRST;
  const isWanted = ({ name, fullName }: PlanCommand): boolean => name === wanted || fullName === wanted;
  return commands.find(isWanted) ?? commands[0];
}
