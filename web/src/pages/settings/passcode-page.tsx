/** The passcode: set, changed, removed; the old one is always asked for. */

import { LockKeyhole, LockKeyholeOpen } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useState } from "react";

import { Button } from "../../ui/button";
import { Badge } from "../../ui/data/facts";
import { AlertAnswers, AlertFrame } from "../../ui/dialog";
import { FormError, TextField } from "../../ui/forms/field";
import { Section } from "../../ui/section";
import { notify } from "../../ui/toasts";
import type { PasscodeChange, PasscodeRemoval, SettingsPasscode, SettingsSeen } from "../../wire/generated";
import { useSettingsChange } from "./hooks";
import { Locked, SettingsFrame } from "./settings-frame";
import { settingsStrings } from "./strings";

const text = settingsStrings.passcode;

export default function PasscodePage(): ReactNode {
  return <SettingsFrame>{(seen) => <PasscodePart seen={seen} />}</SettingsFrame>;
}

function PasscodePart({ seen }: { seen: SettingsSeen }): ReactNode {
  const [isRemoving, setRemoving] = useState(false);
  const { passcode } = seen;
  const state = stateOf(passcode);
  const isOn = passcode.isSet;
  return (
    <>
      <Section
        heading={text.heading}
        lead={text.lead}
        aside={
          <Badge tone={isOn ? "ok" : "soft"} icon={isOn ? LockKeyhole : LockKeyholeOpen}>
            {text.states[state]}
          </Badge>
        }
        className=""
      >
        {!passcode.editable && <Locked place={passcode.place} />}
        {passcode.editable && (
          <fieldset disabled={!seen.mayChange} className="min-w-0">
            <PasscodeForm key={`${seen.version} ${passcode.isSet ? 1 : 0}`} seen={seen} />
          </fieldset>
        )}
      </Section>
      {passcode.editable && isOn && (
        <Section heading={text.remove} lead={passcode.removable ? text.whoRemoved : text.notRemovable} className="">
          {passcode.removable && (
            <Button
              look="quiet"
              disabled={!seen.mayChange}
              onClick={() => {
                setRemoving(true);
              }}
            >
              {text.remove}…
            </Button>
          )}
        </Section>
      )}
      {isRemoving && (
        <RemoveDialog
          version={seen.version}
          onClose={() => {
            setRemoving(false);
          }}
        />
      )}
    </>
  );
}

function stateOf({ isSet, inForce, waiting }: SettingsPasscode): keyof typeof text.states {
  if (isSet && inForce) return waiting ? "soonOther" : "on";
  if (isSet) return "soonOn";
  return inForce ? "soonOff" : "off";
}

const SHORTEST = 8;

/** Sets or changes the passcode. */
function PasscodeForm({ seen }: { seen: SettingsSeen }): ReactNode {
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
function faultOf(fresh: string, again: string): { field: "fresh" | "again"; error: Error } | null {
  if (fresh.length < SHORTEST) return { field: "fresh", error: new Error(text.tooShort) };
  return fresh === again ? null : { field: "again", error: new Error(text.different) };
}

/** Asks for the passcode once more before it is removed. */
function RemoveDialog({ version, onClose }: { version: string; onClose: () => void }): ReactNode {
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
