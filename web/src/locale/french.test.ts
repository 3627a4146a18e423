import { expect, test } from "vitest";

import { strings } from "../strings";
import { french } from "./fr";
import { isGroup } from "./merged";
import { lookingUp } from "./words";

/** Paths of texts that are the same in both; a path into a group looks like `setup.version`. */
function same(english: object, said: object, path = ""): string[] {
  return Object.entries(said).flatMap(([key, text]) => {
    const original: unknown = Reflect.get(english, key);
    if (isGroup(original) && isGroup(text)) return same(original, text, `${path}${key}.`);
    return typeof text === "string" && text === original ? [`${path}${key}`] : [];
  });
}

test("French has its own words for the frame and for Home", () => {
  const said = lookingUp(french)("app", strings);
  expect(said.home).toBe("Accueil");
  expect(said.connection.state({ name: "open" })).toBe("Connecté");
  expect(said.checkSummary({ total: 7, warn: 1, fail: 0 })).toBe("1 sur 7 à regarder");
  expect(said.doors).toEqual(strings.doors);
  // Words that both languages share.
  expect(same(strings, french.app)).toEqual(["traces", "setup.facts", "setup.version"]);
});

test("no space breaks before a French colon or question mark", () => {
  const texts = JSON.stringify(french);
  expect(texts).not.toMatch(/ [:;!?]/);
});
