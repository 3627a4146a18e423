/** Chooses the language of the app. It is kept by this browser, and the page is loaded again. */

import { type ReactNode, useState } from "react";

import { languageStrings as text } from "../strings-language";
import { Choice } from "../ui/choice";
import { chooseLanguage } from "./choose";
import { OFFERED } from "./languages";
import { keepChoice, readChoice } from "./open";

interface LanguageChoiceProps {
  /** Loads the page again; tests look whether it was called. */
  reload?: () => void;
}

export function LanguageChoice({ reload = reloadPage }: LanguageChoiceProps): ReactNode {
  const [chosen, setChosen] = useState(readChoice);
  const byBrowser = chooseLanguage({ search: "", stored: null, preferred: navigator.languages });
  return (
    <div>
      <Choice
        label={text.label}
        value={chosen}
        any={text.browser(byBrowser.name)}
        options={OFFERED.map(({ code, name }) => [code, name] as const)}
        onChoose={(code) => {
          keepChoice(code);
          setChosen(code);
          reload();
        }}
      />
      <p className="mt-1 text-base text-ink-soft">{text.hint}</p>
    </div>
  );
}

function reloadPage(): void {
  window.location.reload();
}
