/** Easy days, whether reviews are spread, and where a day ends. */

import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import { weekdayName } from "../../../ui/plots/days";
import { range } from "../../../ui/plots/scales";
import { Button } from "../../../ui/button";
import { withDay } from "./draft";
import { FIELD, Hint, Part, Tick } from "./parts";
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
      <div>
        <label htmlFor={`${id}-zone`} className="block font-semibold">
          {text.zone}
        </label>
        <div className="flex flex-wrap items-end gap-3">
          <input
            id={`${id}-zone`}
            value={profile.zone}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-zone-hint`}
            className={`${FIELD} w-full max-w-72`}
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
        <Hint id={`${id}-zone-hint`} text={text.zoneHint} />
      </div>
    </Part>
  );
}
