/** The key of the chosen provider, and the address it is sent to. */

import { type ReactNode, useState } from "react";

import { settingsStrings } from "../../../strings-settings";
import { Button } from "../../../ui/button";
import { TextField, Tick } from "../../../ui/field";
import { More } from "../../../ui/more";
import { entryOf, keyNameOf, providerOf, textOf } from "./draft";
import type { PartProps } from "./model-page";
import { Locked } from "./provider-part";

const text = settingsStrings;

export function KeyPart({ seen, draft, type }: PartProps): ReactNode {
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

export function AddressPart({ seen, draft, type }: PartProps): ReactNode {
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
