/** Limits on spending as the page shows and sends them. */

import { accountStrings } from "../../strings-accounts";
import type { AccountPerson, LimitOnSpend } from "../../wire/generated";

/** The person of a limit that all share. */
export const EVERYONE = "";

/** A name and the id beside it where they differ; somebody who is not in the list is only an id. */
export function whoIs(person: string, people: readonly AccountPerson[]): string {
  if (person === EVERYONE) return accountStrings.spending.everyone;
  const name = people.find(({ id }) => id === person)?.name ?? person;
  return name === person ? person : `${name} (${person})`;
}

export interface Figures {
  day: string;
  month: string;
}

/** What somebody's limit is now, as it is typed. */
export function figuresOf(person: string, limits: readonly LimitOnSpend[]): Figures {
  const held = limits.find((each) => each.person === person);
  return { day: typed(held?.usdPerDay), month: typed(held?.usdPerMonth) };
}

/** What is sent of a figure: nothing where nothing was typed. */
export function sent(figure: string): string | null {
  const plain = figure.trim();
  return plain === "" ? null : plain;
}

function typed(usd: number | null | undefined): string {
  return usd === null || usd === undefined ? "" : String(usd);
}
