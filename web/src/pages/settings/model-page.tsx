/** Who answers: provider, key, models, and what happens when nobody does. */

import { useMutation } from "@tanstack/react-query";
import { PlugZap } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useId, useState } from "react";

import { useServices } from "../../services";
import { Button, More } from "../../ui/button";
import { Choice } from "../../ui/forms/choice";
import { FormError, TextField, Tick } from "../../ui/forms/field";
import { SaveButtons } from "../../ui/forms/save-buttons";
import { Marked } from "../../ui/marked";
import { Notice, Section } from "../../ui/section";
import { notify } from "../../ui/toasts";
import type { SettingEntry, SettingsCheck, SettingsChecked, SettingsSeen } from "../../wire/generated";
import { useChangeSettings } from "./hooks";
import { Locked, SettingsFrame } from "./settings-frame";
import { settingsStrings } from "./strings";

const text = settingsStrings;

export interface PartProps {
  seen: SettingsSeen;
  draft: Draft;
  type: (key: Key, value: string | null) => void;
}

export default function ModelPage(): ReactNode {
  return <SettingsFrame>{(seen) => <ModelForm seen={seen} />}</SettingsFrame>;
}

function ModelForm({ seen }: { seen: SettingsSeen }): ReactNode {
  const [draft, setDraft] = useState<Draft>({});
  const save = useChangeSettings();
  const values = changesOf(seen, draft);
  const isChanged = Object.keys(values).length > 0;
  const part: PartProps = {
    seen,
    draft,
    type: (key, value) => {
      setDraft((before) => ({ ...before, [key]: value }));
    },
  };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (!isChanged) return;
    save.mutate(
      { version: seen.version, values },
      {
        onSuccess: () => {
          setDraft({});
          notify(text.saved);
        },
      },
    );
  };
  return (
    <form onSubmit={submit} autoComplete="off">
      <fieldset disabled={!seen.mayChange} className="flex min-w-0 flex-col gap-10">
        <Section heading={text.provider.heading} lead={text.provider.lead} className="">
          <div className="flex flex-col gap-6">
            <ProviderPart {...part} />
            <KeyPart {...part} />
            <AddressPart {...part} />
            <CheckPart {...part} />
          </div>
        </Section>
        <ModelsPart {...part} />
        <FallbackPart {...part} />
        <div className="flex flex-col gap-3 border-t border-rule pt-5">
          {save.error !== null && <FormError id="save-error" error={save.error} />}
          <div className="flex flex-wrap items-center gap-3">
            <SaveButtons
              words={text}
              isChanged={isChanged}
              isSaving={save.isPending}
              onUndo={() => {
                setDraft({});
              }}
            />
            <p className="min-w-0 text-base text-ink-soft">
              {text.file} <code className="text-[0.9em] [overflow-wrap:anywhere]">{seen.file}</code>
            </p>
          </div>
        </div>
      </fieldset>
    </form>
  );
}

const providerText = settingsStrings.provider;

/** The choice of who answers: each with a line about it. */
function ProviderPart({ seen, draft, type }: PartProps): ReactNode {
  const entry = entryOf(seen, "provider");
  const chosen = textOf(seen, draft, "provider");
  const isLocked = entry?.editable === false;
  const auto = providerOf(seen, { ...draft, provider: "" });
  return (
    <fieldset disabled={isLocked} className="min-w-0">
      <legend className="font-semibold">{providerText.legend}</legend>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <div className="grid sm:col-span-2">
          <Option value="" name={providerText.auto} about={providerText.autoAbout(providerText.names[auto])} isChosen={chosen === ""} onChoose={type} />
        </div>
        {PROVIDERS.map((name) => (
          <Option key={name} value={name} name={providerText.names[name]} about={providerText.about[name]} isChosen={chosen === name} onChoose={type} />
        ))}
      </div>
      {isLocked && <Locked place={entry.place} />}
    </fieldset>
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

/** The key of the chosen provider, and the address it is sent to. */
function KeyPart({ seen, draft, type }: PartProps): ReactNode {
  const [isShown, setShown] = useState(false);
  const provider = providerOf(seen, draft);
  const key = keyNameOf(provider);
  const entry = key === null ? undefined : entryOf(seen, key);
  if (key === null || entry === undefined) return null;
  const name = text.provider.names[provider];
  const isRemoved = draft[key] === null;
  const label = provider === "openai-compatible" ? text.key.optional(name) : text.key.label(name);
  if (!entry.editable) {
    return (
      <div>
        <p className="font-semibold">{label}</p>
        <p className="font-mono">{entry.value}</p>
        <Locked place={entry.place} />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <TextField
        label={label}
        type={isShown ? "text" : "password"}
        name={key}
        autoComplete="new-password"
        value={draft[key] ?? ""}
        placeholder={entry.isSet && !isRemoved ? entry.value : ""}
        hint={isRemoved ? text.key.removing : entry.isSet ? text.key.kept(entry.value) : text.key.none}
        onChange={(value) => {
          type(key, value);
        }}
      />
      <div className="flex flex-wrap items-center gap-x-6">
        <Tick label={text.key.show} isTicked={isShown} onTick={setShown} />
        {entry.isSet && (
          <Button
            look="quiet"
            onClick={() => {
              type(key, isRemoved ? "" : null);
            }}
          >
            {isRemoved ? text.key.keep : text.key.remove}
          </Button>
        )}
      </div>
    </div>
  );
}

function AddressPart({ seen, draft, type }: PartProps): ReactNode {
  const provider = providerOf(seen, draft);
  const entry = entryOf(seen, "base_url");
  if (entry === undefined || provider === "local") return null;
  const value = textOf(seen, draft, "base_url");
  const isOwn = provider === "openai-compatible";
  const field = (
    <>
      <TextField
        label={text.address.label}
        type="url"
        name="base_url"
        inputMode="url"
        disabled={!entry.editable}
        value={value}
        hint={isOwn ? text.address.ownHint : text.address.otherHint}
        onChange={(typed) => {
          type("base_url", typed);
        }}
      />
      {!entry.editable && <Locked place={entry.place} />}
    </>
  );
  if (isOwn || entry.isSet) return <div>{field}</div>;
  return (
    <More words={text.address.more} className="">
      <div className="mt-2">{field}</div>
    </More>
  );
}

const TIERS = [
  { tier: "haiku", key: "model_haiku", label: text.models.fast },
  { tier: "sonnet", key: "model_sonnet", label: text.models.strong },
] as const;

/** Which models are asked, and what happens when none answers. */
function ModelsPart({ seen, draft, type }: PartProps): ReactNode {
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

function FallbackPart({ seen, draft, type }: PartProps): ReactNode {
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

const checkText = settingsStrings.check;
const TONES: Record<SettingsChecked["outcome"], "ok" | "info" | "warn" | "fail"> = {
  works: "ok",
  local: "info",
  no_key: "info",
  rate_limit: "warn",
  no_credit: "warn",
  timeout: "warn",
  wrong_key: "fail",
  no_network: "fail",
  model_unknown: "fail",
  not_a_model: "fail",
  failed: "fail",
};

/** Asks the model one tiny question with what stands in the form, and says what happened. */
function CheckPart({ seen, draft }: PartProps): ReactNode {
  const { api } = useServices();
  const check = useMutation({ mutationFn: () => api.settings.check(checkOf(seen, draft)) });
  if (providerOf(seen, draft) === "local") return null;
  return (
    <div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          look="quiet"
          disabled={check.isPending}
          onClick={() => {
            check.mutate();
          }}
        >
          <PlugZap aria-hidden className="size-4.5" />
          {check.isPending ? checkText.checking : checkText.button}
        </Button>
        <p className="text-base text-ink-soft">{checkText.hint}</p>
      </div>
      <div role="status" className="mt-3 empty:hidden">
        {check.data !== undefined && <Outcome checked={check.data} />}
      </div>
      {check.error !== null && <FormError id="check-error" error={check.error} />}
    </div>
  );
}

function Outcome({ checked }: { checked: SettingsChecked }): ReactNode {
  return (
    <Notice tone={TONES[checked.outcome]} title={checkText.titles[checked.outcome]}>
      <Marked className="block" text={sentence(checked.message)} />
      {checked.hint !== null && <Marked className="block text-ink-soft" text={checked.hint} />}
      {checked.costUsd !== null && <p className="text-base text-ink-soft">{checkText.cost(checked.costUsd)}</p>}
    </Notice>
  );
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

// What somebody has typed but not saved, and what it would change.

type Provider = SettingsSeen["provider"];
type Key = "provider" | "anthropic_api_key" | "openai_api_key" | "base_url" | "model_haiku" | "model_sonnet" | "fallback";

/** What is not in it is as it was; null removes a key that was kept. */
type Draft = Partial<Record<Key, string | null>>;

const PROVIDERS = ["anthropic", "openai", "openai-compatible", "local"] as const satisfies Provider[];

function entryOf(seen: SettingsSeen, key: Key): SettingEntry | undefined {
  return seen.entries.find((entry) => entry.key === key);
}

/** What stands in a field: what was typed, else what is saved. A kept secret is never in its field. */
export function textOf(seen: SettingsSeen, draft: Draft, key: Key): string {
  const typed = draft[key];
  if (typed !== undefined) return typed ?? "";
  const entry = entryOf(seen, key);
  return entry === undefined || entry.kind === "secret" ? "" : entry.value;
}

/** The settings that would be written; null removes one. */
export function changesOf(seen: SettingsSeen, draft: Draft): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [key, typed] of Object.entries(draft)) {
    const entry = seen.entries.find((each) => each.key === key);
    if (entry === undefined) continue;
    const value = typed?.trim() ?? "";
    if (entry.kind === "secret") {
      if (value !== "") changes[key] = value;
      else if (typed === null && entry.isSet) changes[key] = null;
    } else if (value !== entry.value) changes[key] = value === "" ? null : value;
  }
  return changes;
}

/** Who would answer with these settings. */
export function providerOf(seen: SettingsSeen, draft: Draft): Provider {
  const chosen = PROVIDERS.find((name) => name === textOf(seen, draft, "provider"));
  if (chosen !== undefined) return chosen;
  if (hasKey(seen, draft, "anthropic_api_key")) return "anthropic";
  if (!hasKey(seen, draft, "openai_api_key")) return "local";
  return textOf(seen, draft, "base_url") === "" ? "openai" : "openai-compatible";
}

function keyNameOf(provider: Provider): "anthropic_api_key" | "openai_api_key" | null {
  if (provider === "local") return null;
  return provider === "anthropic" ? "anthropic_api_key" : "openai_api_key";
}

/** What is asked to be checked: what was typed, and for the rest what is saved. */
export function checkOf(seen: SettingsSeen, draft: Draft): SettingsCheck {
  const provider = providerOf(seen, draft);
  const keyName = keyNameOf(provider);
  const address = changesOf(seen, draft).base_url;
  return {
    provider,
    key: (keyName === null ? null : draft[keyName]?.trim()) ?? null,
    baseUrl: address === undefined ? null : (address ?? ""),
    model: textOf(seen, draft, "model_haiku").trim() || null,
    tier: "haiku",
  };
}

function hasKey(seen: SettingsSeen, draft: Draft, key: Key): boolean {
  const typed = draft[key];
  if (typed === undefined || typed === "") return entryOf(seen, key)?.isSet ?? false;
  return typed !== null;
}
