/** A translation laid over the English words: the shape stays that of the English. */

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
