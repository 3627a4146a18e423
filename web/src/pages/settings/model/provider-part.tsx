/** The choice of who answers: each with a line about it. */

import { Lock } from "lucide-react";
import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-settings";
import { Marked } from "../../../ui/marked";
import { entryOf, PROVIDERS, providerOf, textOf } from "./draft";
import type { PartProps } from "./model-page";

const text = settingsStrings.provider;

export function ProviderPart({ seen, draft, type }: PartProps): ReactNode {
  const entry = entryOf(seen, "provider");
  const chosen = textOf(seen, draft, "provider");
  const isLocked = entry?.editable === false;
  const auto = providerOf(seen, { ...draft, provider: "" });
  return (
    <fieldset disabled={isLocked} className="min-w-0">
      <legend className="font-semibold">{text.legend}</legend>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <div className="grid sm:col-span-2">
          <Option value="" name={text.auto} about={text.autoAbout(text.names[auto])} isChosen={chosen === ""} onChoose={type} />
        </div>
        {PROVIDERS.map((name) => (
          <Option key={name} value={name} name={text.names[name]} about={text.about[name]} isChosen={chosen === name} onChoose={type} />
        ))}
      </div>
      {isLocked && <Locked place={entry.place} />}
    </fieldset>
  );
}

/** Why something cannot be changed here. */
export function Locked({ place }: { place: string }): ReactNode {
  return (
    <p className="mt-2 flex gap-2 text-base text-ink-soft">
      <Lock aria-hidden className="mt-1 size-4 shrink-0" />
      <Marked text={settingsStrings.locked(place)} />
    </p>
  );
}

interface OptionProps {
  value: string;
  name: string;
  about: string;
  isChosen: boolean;
  onChoose: PartProps["type"];
}

function Option({ value, name, about, isChosen, onChoose }: OptionProps): ReactNode {
  const id = useId();
  return (
    <label
      className={
        "flex cursor-pointer gap-3 rounded-lg border border-line bg-card p-4 transition-colors hover:border-accent has-checked:border-accent " +
        "has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus) has-disabled:cursor-not-allowed has-disabled:opacity-60"
      }
    >
      <input
        type="radio"
        name="provider"
        value={value}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-about`}
        checked={isChosen}
        onChange={() => {
          onChoose("provider", value);
        }}
        className="mt-1.5 size-5 shrink-0 accent-accent outline-none"
      />
      <span className="min-w-0">
        <span id={`${id}-name`} className="block font-semibold">
          {name}
        </span>
        <span id={`${id}-about`} className="block text-base text-ink-soft">
          {about}
        </span>
      </span>
    </label>
  );
}
