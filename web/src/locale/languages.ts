/** The languages there are. Each is fetched only when it is wanted. */

import { lookingUp, type Speaker } from "./words";

export interface Language {
  /** As browsers write it: `fr`, `pt-BR`. */
  code: string;
  /** What the language calls itself. */
  name: string;
  dir: "ltr" | "rtl";
  /** False for those that nobody is offered: they have to be asked for in the address. */
  isOffered: boolean;
  /** The speaker, or null for English, which the app is written in. */
  load: () => Promise<Speaker | null>;
}

export const ENGLISH: Language = {
  code: "en",
  name: "English",
  dir: "ltr",
  isOffered: true,
  load: () => Promise.resolve(null),
};

export const LANGUAGES: readonly Language[] = [
  ENGLISH,
  {
    code: "fr",
    name: "Français",
    dir: "ltr",
    isOffered: true,
    load: async () => lookingUp((await import("./fr")).french),
  },
  {
    code: "en-XA",
    name: "Ƥšéúđó",
    dir: "ltr",
    isOffered: false,
    load: async () => (await import("./pseudo")).pseudo(),
  },
];

export const OFFERED: readonly Language[] = LANGUAGES.filter(({ isOffered }) => isOffered);

// Which language a person reads: what the address says, else what they chose, else what their browser asks for.

/** Where the choice is kept in the browser. */
export const STORED_AS = "paige-language";

interface Wishes {
  /** The part of the address after `?`. */
  search: string;
  /** The choice this browser remembers. */
  stored: string | null;
  /** What the browser asks for, the dearest first. */
  preferred: readonly string[];
}

/** The language to read Paige in; English when nothing else fits. */
export function chooseLanguage({ search, stored, preferred }: Wishes): Language {
  const asked = LANGUAGES.find(({ code }) => code === new URLSearchParams(search).get("lang"));
  const chosen = OFFERED.find(({ code }) => code === stored);
  return asked ?? chosen ?? firstOf(preferred) ?? ENGLISH;
}

/** What `Intl` formats with: the region the browser names for this language, else the language alone. */
export function localeOf({ code }: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => isOf(tag, code)) ?? code;
}

function firstOf(preferred: readonly string[]): Language | undefined {
  for (const tag of preferred) {
    const found = OFFERED.find(({ code }) => isOf(tag, code));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether `fr-CA` is a kind of `fr`. Tags are compared without regard to case. */
function isOf(tag: string, code: string): boolean {
  const [wanted, known] = [tag.toLowerCase(), code.toLowerCase()];
  return wanted === known || wanted.startsWith(`${known}-`);
}
