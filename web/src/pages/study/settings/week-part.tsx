/** Easy days, whether reviews are spread, and where a day ends. */

import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import { Button } from "../../../ui/button";
import { Field, Hint, INPUT, Tick } from "../../../ui/field";
import { weekdayName } from "../../../ui/plots/days";
import { range } from "../../../ui/plots/scales";
import { withDay } from "./draft";
import { Part } from "./parts";
import type { PartProps } from "./sessions-part";

const text = settingsStrings.days;

export function WeekPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Part heading={text.heading}>
      <fieldset aria-describedby={`${id}-easy`}>
        <legend className="font-semibold">{text.easy}</legend>
        <div className="mt-1 grid grid-cols-2 gap-x-6 sm:grid-cols-4">
          {range(0, 6).map((weekday) => (
            <Tick
              key={weekday}
              label={weekdayName(weekday)}
              isTicked={(profile.easyDays[weekday] ?? 1) < 1}
              onTick={(isEasy) => {
                change({ easyDays: withDay(profile.easyDays, weekday, isEasy) });
              }}
            />
          ))}
        </div>
        <Hint id={`${id}-easy`} text={text.easyHint} />
      </fieldset>
      <Tick
        label={text.balance}
        hint={text.balanceHint}
        isTicked={profile.balance}
        onTick={(balance) => {
          change({ balance });
        }}
      />
      <Field label={text.zone} hint={text.zoneHint}>
        {(wiring) => (
          <div className="flex flex-wrap items-end gap-3">
            <input
              {...wiring}
              value={profile.zone}
              autoComplete="off"
              spellCheck={false}
              className={`${INPUT} w-full max-w-72`}
              onChange={(event) => {
                change({ zone: event.target.value });
              }}
            />
            {profile.zone !== here && (
              <Button
                look="quiet"
                onClick={() => {
                  change({ zone: here });
                }}
              >
                {text.zoneHere(here)}
              </Button>
            )}
          </div>
        )}
      </Field>
    </Part>
  );
}
