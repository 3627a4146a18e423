/** Sets or changes the passcode. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { useSettingsChange } from "../../../api/settings-hooks";
import { settingsStrings } from "../../../strings-settings";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { TextField } from "../../../ui/field";
import { FormError } from "../../../ui/form-error";
import type { PasscodeChange, SettingsSeen } from "../../../wire/generated";

const text = settingsStrings.passcode;
const SHORTEST = 8;

export function PasscodeForm({ seen }: { seen: SettingsSeen }): ReactNode {
  const [typed, setTyped] = useState({ old: "", fresh: "", again: "" });
  const [isTried, setTried] = useState(false);
  const change = useSettingsChange((settings, asked: PasscodeChange) => settings.changePasscode(asked));
  const isFirst = !seen.passcode.isSet;
  // Two that are not the same are told only after a try: while one types they never are.
  const wrong = isTried ? faultOf(typed.fresh, typed.again) : null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    setTried(true);
    if (faultOf(typed.fresh, typed.again) !== null) return;
    const old = seen.passcode.isSet || seen.passcode.inForce ? typed.old : null;
    change.mutate(
      { version: seen.version, old, new: typed.fresh },
      {
        onSuccess: () => {
          notify(isFirst ? text.done.set : text.done.change);
        },
      },
    );
  };
  const field = (name: keyof typeof typed, label: string, complete: string): ReactNode => (
    <TextField
      label={label}
      type="password"
      required
      autoComplete={complete}
      value={typed[name]}
      hint={name === "fresh" ? text.hint : undefined}
      error={wrong?.field === name ? wrong.error : null}
      onChange={(value) => {
        setTyped((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
      {(seen.passcode.isSet || seen.passcode.inForce) && field("old", text.old, "current-password")}
      {field("fresh", text.fresh, "new-password")}
      {field("again", text.again, "new-password")}
      <p className="text-base text-ink-soft">{isFirst ? text.whoFirst : text.who}</p>
      {change.error !== null && <FormError id="passcode-error" error={change.error} />}
      <div>
        <Button type="submit" disabled={change.isPending}>
          {isFirst ? text.set : text.change}
        </Button>
      </div>
    </form>
  );
}

/** What is wrong with a new passcode, and at which field. */
export function faultOf(fresh: string, again: string): { field: "fresh" | "again"; error: Error } | null {
  if (fresh.length < SHORTEST) return { field: "fresh", error: new Error(text.tooShort) };
  return fresh === again ? null : { field: "again", error: new Error(text.different) };
}
