/** Who answers: provider, key, models, and what happens when nobody does. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { useChangeSettings } from "../../../api/settings-hooks";
import { settingsStrings } from "../../../strings-settings";
import { notify } from "../../../toasts/toasts";
import { FormError } from "../../../ui/form-error";
import { SaveButtons } from "../../../ui/save-buttons";
import { Section } from "../../../ui/section";
import type { SettingsSeen } from "../../../wire/generated";
import { SettingsFrame } from "../settings-frame";
import { CheckPart } from "./check-part";
import { changesOf, type Draft, type Key } from "./draft";
import { AddressPart, KeyPart } from "./key-part";
import { FallbackPart, ModelsPart } from "./models-part";
import { ProviderPart } from "./provider-part";

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
