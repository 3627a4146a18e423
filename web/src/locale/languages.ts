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
