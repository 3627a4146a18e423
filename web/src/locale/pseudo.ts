/**
 * A language for tests: English with accents, a third longer, in brackets.
 *
 * A text without brackets was not looked up; one that runs out of its place would do so in a real
 * language too. What was handed in (a name, a path) stays as it is.
 */

import { isGroup } from "./words";
import type { Speaker } from "./words";

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const MARKED = "áƀçđéƒĝĥíĵķĺɱñóþɋŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀÑÓÞɊŔŠŢÚṼŴẊÝŽ";
const FILLING = "one two three four five six seven eight nine ten ";
/** Code, places for values and addresses are not words. */
const NOT_WORDS = ["`[^`]*`", "\\{\\w+\\}", "https?://\\S+"];

/** A text of the pseudo-language; the `kept` parts stay as they are. */
export function accented(text: string, kept: readonly string[] = []): string {
  if (!/\p{L}/u.test(text) || text.startsWith("⟦") || kept.includes(text)) return text;
  const parts = text.split(apart(kept));
  const marked = parts.map((part, index) => (index % 2 === 1 ? part : marks(part))).join("");
  return `⟦${marked} ${filling(Math.ceil(text.length * 0.3))}⟧`;
}

/** A speaker of the pseudo-language: groups, lists and functions keep their shape. */
export function pseudo(): Speaker {
  const said = new WeakSet();
  const say = (value: unknown, kept: readonly string[]): unknown => {
    if (typeof value === "string") return accented(value, kept);
    if (typeof value === "function") {
      return (...given: unknown[]) => say(Reflect.apply(value, undefined, given), textsIn(given));
    }
    if (typeof value !== "object" || value === null || said.has(value)) return value;
    const done = sayEach(value, (item) => say(item, kept));
    said.add(done);
    return done;
  };
  return (_name, english) => say(english, []) as typeof english;
}

function sayEach(value: object, say: (item: unknown) => unknown): object {
  if (Array.isArray(value)) return value.map(say);
  // An element of React and its like is not a group of words.
  if (!isGroup(value) || "$$typeof" in value) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, say(item)]));
}

/** Texts among what a function was given, also those in the fields of a value. */
function textsIn(given: readonly unknown[]): string[] {
  return given.flatMap((value) => {
    if (typeof value === "string") return [value];
    return isGroup(value) ? Object.values(value).filter((field) => typeof field === "string") : [];
  });
}

/** Splits a text so that every second part stays as it is. */
function apart(kept: readonly string[]): RegExp {
  const names = kept
    .filter((part) => part.length > 1)
    .toSorted((one, other) => other.length - one.length)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`(${[...names, ...NOT_WORDS].join("|")})`);
}

function marks(part: string): string {
  return Array.from(part, (letter) => {
    const place = PLAIN.indexOf(letter);
    return place === -1 ? letter : MARKED.charAt(place);
  }).join("");
}

function filling(length: number): string {
  return FILLING.repeat(Math.ceil(length / FILLING.length)).slice(0, length).trim();
}
