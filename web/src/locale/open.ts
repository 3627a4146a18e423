/** Fetches the language of this browser before anything is shown, and says on the page which one it is. */

import { chooseLanguage, ENGLISH, type Language, localeOf, STORED_AS } from "./languages";
import { speak, type Speaker } from "./words";

/** Speaks the language that is wanted here. One that cannot be fetched leaves the app in English. */
export async function openLanguage(page: HTMLElement): Promise<void> {
  const preferred = navigator.languages;
  const wanted = chooseLanguage({ search: window.location.search, stored: readChoice(), preferred });
  const speaker = await fetched(wanted);
  const language = speaker === undefined ? ENGLISH : wanted;
  speak(localeOf(language, preferred), speaker ?? null);
  page.lang = language.code;
  page.dir = language.dir;
}

/** The code of the language that was chosen here, or null when the browser's own wish counts. */
export function readChoice(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null; // a browser that keeps nothing
  }
}

/** Remembers a language, or forgets the choice with null; it counts from the next load on. */
export function keepChoice(code: string | null): void {
  if (code === null) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, code);
}

async function fetched(language: Language): Promise<Speaker | null | undefined> {
  try {
    return await language.load();
  } catch {
    return undefined;
  }
}
