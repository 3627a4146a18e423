/** How long a session is, and what explanations begin with. */

import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import { Field, Hint, INPUT } from "../../../ui/field";
import { RadioPill } from "../../../ui/radio-pill";
import type { StudyProfile, StudyProfileChange } from "../../../wire/generated";
import { Part } from "./parts";

const text = settingsStrings.session;

export interface PartProps {
  /** As it would be with what was changed so far. */
  profile: StudyProfile;
  change: (changes: StudyProfileChange) => void;
}

export function SessionsPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  return (
    <Part heading={text.heading}>
      <Field label={text.minutes} hint={text.minutesHint}>
        {(wiring) => (
          <input
            {...wiring}
            type="number"
            inputMode="numeric"
            min={5}
            max={240}
            required
            value={profile.sessionMinutes || ""}
            className={`${INPUT} w-28`}
            onChange={(event) => {
              change({ sessionMinutes: Number(event.target.value) });
            }}
          />
        )}
      </Field>
      <fieldset>
        <legend className="font-semibold">{text.style}</legend>
        <div className="mt-2 mb-1 flex flex-wrap gap-2">
          {(["examples_first", "explanation_first"] as const).map((style) => (
            <RadioPill
              key={style}
              name={`${id}-style`}
              label={style === "examples_first" ? text.examples : text.explanation}
              isChosen={profile.explanationStyle === style}
              onChoose={() => {
                change({ explanationStyle: style });
              }}
            />
          ))}
        </div>
        <Hint id={`${id}-style-hint`} text={text.styleHint} />
      </fieldset>
    </Part>
  );
}
