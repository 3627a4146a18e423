/** The texts of the choice of a language. */

import { words } from "./locale/words";

export const languageStrings = words("language", {
  label: "Language",
  hint: "Changing it loads the page again. What people and models write stays in the language it was written in.",
  browser: (name: string) => `As the browser asks: ${name}`,
});
