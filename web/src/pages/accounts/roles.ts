/** The roles of people, in the order they are shown. */

import { accountStrings } from "../../strings-accounts";

export type Role = keyof typeof accountStrings.roles;

export const ROLES = Object.keys(accountStrings.roles) as Role[];

/** The roles with one more, or one less; always in the same order. */
export function withRole(roles: readonly string[], role: Role, isHeld: boolean): string[] {
  return ROLES.filter((each) => (each === role ? isHeld : roles.includes(each)));
}
