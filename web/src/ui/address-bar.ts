/** The part of an address behind the question mark, where pages keep what is chosen and open. */

import { useMemo } from "react";
import { useSearchParams } from "wouter";

/** `null` and nothing take a part out. */
export type Changes<Name extends string> = Partial<Record<Name, string | null>>;

export interface AddressParts<Name extends string> {
  found: URLSearchParams;
  /** Changes parts of the address; what is not named stays. */
  go: (changes: Changes<Name>, options?: { replace?: boolean }) => void;
}

export function useAddressParts<Name extends string>(): AddressParts<Name> {
  const [found, setFound] = useSearchParams();
  return useMemo(
    () => ({
      found,
      go: (changes, options = {}) => {
        setFound((before) => changed(before, changes), options);
      },
    }),
    [found, setFound],
  );
}

export function changed(before: URLSearchParams, changes: Changes<string>): URLSearchParams {
  const after = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") after.delete(name);
    else after.set(name, value);
  }
  return after;
}

/** A part that is one of some words; null for everything else. */
export function oneOf<Value extends string>(found: string | null, values: Readonly<Record<Value, unknown>>): Value | null {
  return found !== null && Object.hasOwn(values, found) ? (found as Value) : null;
}

/** Whether anything is filtered by. */
export function isFiltered(filter: object): boolean {
  return Object.values(filter).some((value) => value !== null && value !== "");
}
