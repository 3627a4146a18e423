import { afterEach, expect, test } from "vitest";

import { merged } from "./merged";
import { accented, pseudo } from "./pseudo";
import vocabulary from "./vocabulary.ts?raw";
import { locale, lookingUp, speak, words } from "./words";

const ENGLISH = {
  close: "Close",
  count: (count: number) => `${count} things`,
  doors: { plan: "Plan", study: "Study" },
  days: ["Monday", "Tuesday"],
};

afterEach(() => {
  speak("en", null);
});

test("without a language the words are the English ones themselves", () => {
  expect(words("test", ENGLISH)).toBe(ENGLISH);
  expect(locale()).toBe("en");
});

test("a language is laid over English, functions included, and what it lacks stays English", () => {
  speak("fr", lookingUp({ test: { count: (count: number) => `${count} choses`, doors: { study: "Étude" } } }));
  const said = words("test", ENGLISH);
  expect(said.count(2)).toBe("2 choses");
  expect(said.doors).toEqual({ plan: "Plan", study: "Étude" });
  expect(said.close).toBe("Close");
  expect(words("other", ENGLISH)).toBe(ENGLISH);
  expect(locale()).toBe("fr");
});

test("an entry of another kind is not taken", () => {
  const over = { close: () => "Fermer", count: "choses", doors: "portes", days: ["lundi"], extra: "en trop" };
  expect(merged(ENGLISH, over)).toEqual(ENGLISH);
});

test("the pseudo-language says every word longer, with accents, in brackets", () => {
  speak("en-XA", pseudo());
  const said = words("test", ENGLISH);
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
