/** The words of the app in the language of the person who reads them. */

/** Says words of the app, known by their name, in another language. */
export type Speaker = <T extends object>(name: string, english: T) => T;

interface Spoken {
  /** What `Intl` formats numbers and dates with. */
  locale: string;
  speaker: Speaker | null;
}

let spoken: Spoken = { locale: "en", speaker: null };

/** Speaks a language from now on. It has to happen before any file of words is imported. */
export function speak(locale: string, speaker: Speaker | null): void {
  spoken = { locale, speaker };
}

/** A speaker that looks words up in a table; what the table lacks stays English. */
export function lookingUp(table: Readonly<Record<string, Entries | undefined>>): Speaker {
  return (name, english) => {
    const entries = table[name];
    return entries === undefined ? english : merged(english, entries);
  };
}

/** Words under a name of their own: those of the loaded language, and English where it has none. */
export function words<const T extends object>(name: string, english: T): T {
  return spoken.speaker === null ? english : spoken.speaker(name, english);
}

/** Words for names that the server gives; it may give one that is not known here. */
export function byName(known: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>> {
  return known;
}

/** What to hand to `Intl` and `toLocaleString`, so that numbers and dates speak the language of the words. */
export function locale(): string {
  return spoken.locale;
}

// A translation laid over the English words: the shape stays that of the English.

/** Entries of a table: words, functions that make words, lists and groups of them. */
export type Entries = Readonly<Record<string, unknown>>;

/** `english` with every entry of `over` that is of the same kind; groups are merged entry by entry. */
export function merged<T extends object>(english: T, over: Entries): T {
  const result: Record<string, unknown> = {};
  for (const [key, original] of Object.entries(english)) {
    result[key] = chosen(original, Object.hasOwn(over, key) ? over[key] : undefined);
  }
  return result as T;
}

function chosen(original: unknown, translated: unknown): unknown {
  if (isGroup(original)) return isGroup(translated) ? merged(original, translated) : original;
  if (Array.isArray(original)) {
    return Array.isArray(translated) && translated.length === original.length ? translated : original;
  }
  return typeof translated === typeof original ? translated : original;
}

/** A group of words, not a list of them. */
export function isGroup(value: unknown): value is Entries {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
