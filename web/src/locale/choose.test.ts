import { expect, test } from "vitest";

import { chooseLanguage, localeOf } from "./choose";
import { ENGLISH, LANGUAGES, OFFERED } from "./languages";

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
