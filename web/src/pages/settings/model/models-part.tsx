/** Which models are asked, and what happens when none answers. */

import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-settings";
import { Choice } from "../../../ui/choice";
import { TextField } from "../../../ui/field";
import { Section } from "../../../ui/section";
import { entryOf, providerOf, textOf } from "./draft";
import type { PartProps } from "./model-page";
import { Locked } from "./provider-part";

const text = settingsStrings;
const TIERS = [
  { tier: "haiku", key: "model_haiku", label: text.models.fast },
  { tier: "sonnet", key: "model_sonnet", label: text.models.strong },
] as const;

export function ModelsPart({ seen, draft, type }: PartProps): ReactNode {
  const list = useId();
  const provider = providerOf(seen, draft);
  if (provider === "local") return null;
  const usual = seen.defaults[provider];
  return (
    <Section heading={text.models.heading} lead={text.models.lead} className="">
      <div className="grid gap-5 sm:grid-cols-2">
        {TIERS.map(({ tier, key, label }) => {
          const entry = entryOf(seen, key);
          const model = usual?.[tier];
          return (
            <div key={key}>
              <TextField
                label={label}
                name={key}
                list={list}
                disabled={entry?.editable === false}
                value={textOf(seen, draft, key)}
                placeholder={model ?? ""}
                hint={model === undefined ? text.models.needed : text.models.usual(model)}
                onChange={(value) => {
                  type(key, value);
                }}
              />
              {entry?.editable === false && <Locked place={entry.place} />}
            </div>
          );
        })}
      </div>
      <datalist id={list}>
        {(seen.known[provider] ?? []).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </Section>
  );
}

export function FallbackPart({ seen, draft, type }: PartProps): ReactNode {
  const entry = entryOf(seen, "fallback");
  if (entry === undefined || providerOf(seen, draft) === "local") return null;
  const value = textOf(seen, draft, "fallback");
  return (
    <div className="max-w-md">
      <Choice
        label={text.fallback.label}
        value={value === "" ? null : value}
        any={text.fallback.unset}
        options={[
          ["local", text.fallback.names.local],
          ["none", text.fallback.names.none],
        ]}
        disabled={!entry.editable}
        onChoose={(chosen) => {
          type("fallback", chosen ?? "");
        }}
      />
      {!entry.editable && <Locked place={entry.place} />}
    </div>
  );
}
