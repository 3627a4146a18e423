import { afterEach, expect, test } from "vitest";

import { strings } from "../strings";
import { french } from "./fr";
import { chooseLanguage, ENGLISH, LANGUAGES, localeOf, OFFERED } from "./languages";
import { accented, pseudo } from "./pseudo";
import vocabulary from "./vocabulary.ts?raw";
import { isGroup, merged, locale, lookingUp, speak, words } from "./words";

const SAID = {
  close: "Close",
  count: (count: number) => `${count} things`,
  doors: { plan: "Plan", study: "Study" },
  days: ["Monday", "Tuesday"],
};

afterEach(() => {
  speak("en", null);
});

test("without a language the words are the English ones themselves", () => {
  expect(words("test", SAID)).toBe(SAID);
  expect(locale()).toBe("en");
});

test("a language is laid over English, functions included, and what it lacks stays English", () => {
  speak("fr", lookingUp({ test: { count: (count: number) => `${count} choses`, doors: { study: "Étude" } } }));
  const said = words("test", SAID);
  expect(said.count(2)).toBe("2 choses");
  expect(said.doors).toEqual({ plan: "Plan", study: "Étude" });
  expect(said.close).toBe("Close");
  expect(words("other", SAID)).toBe(SAID);
  expect(locale()).toBe("fr");
});

test("an entry of another kind is not taken", () => {
  const over = { close: () => "Fermer", count: "choses", doors: "portes", days: ["lundi"], extra: "en trop" };
  expect(merged(SAID, over)).toEqual(SAID);
});

test("the pseudo-language says every word longer, with accents, in brackets", () => {
  speak("en-XA", pseudo());
  const said = words("test", SAID);
  expect(said.close).toMatch(/^⟦Çĺóšé .+⟧$/);
  expect(said.close.length).toBeGreaterThan("Close".length * 1.3);
  expect(said.doors.plan).toMatch(/^⟦/);
  expect(said.days).toHaveLength(2);
  expect(said.count(3)).toMatch(/^⟦3 ţĥíñĝš/);
});

test("words inside of other words are said once", () => {
  speak("en-XA", pseudo());
  const inner = words("inner", { close: "Close" });
  expect(words("outer", { inner }).inner.close).toBe(inner.close);
});

test("code, places for values, addresses, and what was handed in stay as they are", () => {
  expect(accented("Run `paige up` at {place}")).toMatch(/^⟦Ŕúñ `paige up` áţ \{place\}/);
  expect(accented("See https://example.org/a now")).toContain("https://example.org/a");
  expect(accented("Delete notes.md (now)", ["notes.md", "(now)"])).toMatch(/^⟦Đéĺéţé notes\.md \(now\)/);
  expect(accented("notes.md", ["notes.md"])).toBe("notes.md");
  expect(accented("42 %")).toBe("42 %");
  expect(accented(accented("Close"))).toBe(accented("Close"));
});

test("every group of words has a name of its own", () => {
  const files = import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}"], { query: "?raw", import: "default", eager: true });
  const texts = Object.entries(files);
  const names = texts.flatMap(([, text]) => [...text.matchAll(/= words\("([^"]+)"/g)].map(([, name]) => name));
  expect(names.length).toBeGreaterThan(20);
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted());
  const known = [...vocabulary.matchAll(/^ {2}(\w+): typeof/gm)].map(([, name]) => name);
  expect(known.toSorted(), "src/locale/vocabulary.ts lists them all").toEqual(names.toSorted());
  const unwrapped = texts.filter(([path, text]) => path.includes("strings") && /^export const \w+ = \{/m.test(text)).map(([path]) => path);
  expect(unwrapped).toEqual([]);
});

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

function chosen(search: string, stored: string | null, preferred: string[]): string {
  return chooseLanguage({ search, stored, preferred }).code;
}

test("the address counts before the choice, the choice before the browser", () => {
  expect(chosen("?lang=en-XA", "fr", ["fr"])).toBe("en-XA");
  expect(chosen("", "en", ["fr"])).toBe("en");
  expect(chosen("", null, ["fr-CA", "en"])).toBe("fr");
});

test("the first wish that can be met is met", () => {
  expect(chosen("", null, ["ms-MY", "fr", "en"])).toBe("fr");
  expect(chosen("", null, ["en-GB", "fr"])).toBe("en");
  expect(chosen("", null, ["ms-MY"])).toBe("en");
  expect(chosen("", null, [])).toBe("en");
});

test("what is unknown is as if nothing was said", () => {
  expect(chosen("?lang=tlh", "tlh", ["FR-ca"])).toBe("fr");
});

test("the pseudo-language has to be asked for by its address", () => {
  expect(OFFERED.map(({ code }) => code)).not.toContain("en-XA");
  expect(chosen("", "en-XA", ["en-XA"])).toBe("en");
});

test("numbers and dates are those of the region the browser names", () => {
  const french = LANGUAGES.find(({ code }) => code === "fr") ?? ENGLISH;
  expect(localeOf(french, ["en-US", "fr-CA"])).toBe("fr-CA");
  expect(localeOf(french, ["de"])).toBe("fr");
  expect(localeOf(ENGLISH, ["en-GB"])).toBe("en-GB");
});

test("every language is known to Intl and has a direction and a name of its own", () => {
  expect(Intl.getCanonicalLocales(LANGUAGES.map(({ code }) => code))).toHaveLength(LANGUAGES.length);
  expect(new Set(LANGUAGES.map(({ name }) => name)).size).toBe(LANGUAGES.length);
});
