/** How long a session is, and what explanations begin with. */

import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import type { StudyProfile, StudyProfileChange } from "../../../wire/generated";
import { RadioPill } from "../../../ui/radio-pill";
import { FIELD, Hint, Part } from "./parts";

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
      <div>
        <label htmlFor={id} className="block font-semibold">
          {text.minutes}
        </label>
        <input
          id={id}
          type="number"
          inputMode="numeric"
          min={5}
          max={240}
          required
          value={profile.sessionMinutes || ""}
          aria-describedby={`${id}-hint`}
          className={`${FIELD} w-28`}
          onChange={(event) => {
            change({ sessionMinutes: Number(event.target.value) });
          }}
        />
        <Hint id={`${id}-hint`} text={text.minutesHint} />
      </div>
      <fieldset>
        <legend className="font-semibold">{text.style}</legend>
        <div className="mt-2 flex flex-wrap gap-2">
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
