/** Asks for the passcode once more before it is removed. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { useSettingsChange } from "../../../api/settings-hooks";
import { settingsStrings } from "../../../strings-settings";
import { notify } from "../../../toasts/toasts";
import { AlertAnswers, AlertFrame } from "../../../ui/alert-frame";
import { Button } from "../../../ui/button";
import { TextField } from "../../../ui/field";
import type { PasscodeRemoval } from "../../../wire/generated";

const text = settingsStrings.passcode;

export function RemoveDialog({ version, onClose }: { version: string; onClose: () => void }): ReactNode {
  const [old, setOld] = useState("");
  const remove = useSettingsChange((settings, asked: PasscodeRemoval) => settings.removePasscode(asked));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    remove.mutate(
      { version, old },
      {
        onSuccess: () => {
          notify(text.done.remove);
          onClose();
        },
      },
    );
  };
  return (
    <AlertFrame title={text.removeTitle} description={text.whoRemoved} onCancel={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={text.old}
          type="password"
          required
          autoComplete="current-password"
          value={old}
          error={remove.error}
          onChange={setOld}
        />
        <AlertAnswers cancel={text.cancel}>
          <Button type="submit" look="danger" disabled={remove.isPending}>
            {text.remove}
          </Button>
        </AlertAnswers>
      </form>
    </AlertFrame>
  );
}
