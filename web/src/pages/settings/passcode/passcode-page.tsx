/** The passcode: set, changed, removed; the old one is always asked for. */

import { LockKeyhole, LockKeyholeOpen } from "lucide-react";
import { type ReactNode, useState } from "react";

import { settingsStrings } from "../../../strings-settings";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Section } from "../../../ui/section";
import type { SettingsPasscode, SettingsSeen } from "../../../wire/generated";
import { Locked } from "../model/provider-part";
import { SettingsFrame } from "../settings-frame";
import { PasscodeForm } from "./passcode-form";
import { RemoveDialog } from "./remove-dialog";

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
