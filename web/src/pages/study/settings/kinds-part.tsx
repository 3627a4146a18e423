/** Which kinds of exercise somebody wants more of, and which never. */

import { type ReactNode, useId } from "react";

import { studyStrings } from "../../../strings-study";
import { settingsStrings } from "../../../strings-study-progress";
import { RadioPill } from "../../../ui/radio-pill";
import type { StudyProfile } from "../../../wire/generated";
import { type Wish, wishFor, withWish } from "./draft";
import { Part } from "./parts";
import type { PartProps } from "./sessions-part";

const text = settingsStrings.kinds;
const WISHES: readonly Wish[] = ["more", "neutral", "never"];
type Modality = StudyProfile["preferred"][number];

export function KindsPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  const kinds = Object.entries(studyStrings.modalities) as [Modality, string][];
  return (
    <Part heading={text.heading} lead={text.lead}>
      <ul>
        {kinds.map(([kind, name]) => (
          <li key={kind} className="border-b border-rule last:border-0">
            <fieldset className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <legend className="sr-only">{text.group(name)}</legend>
              <span aria-hidden>
                <span className="block font-semibold">{name}</span>
                <span className="block text-base text-ink-soft">{remarksOn(profile, kind).join(", ")}</span>
              </span>
              <span className="flex gap-2">
                {WISHES.map((wish) => (
                  <RadioPill
                    key={wish}
                    name={`${id}-${kind}`}
                    label={text[wish]}
                    isChosen={wishFor(profile, kind) === wish}
                    onChoose={() => {
                      change(withWish(profile, kind, wish));
                    }}
                  />
                ))}
              </span>
            </fieldset>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What results say about a kind. */
function remarksOn({ goesBest, goesWorst, usedMost }: StudyProfile, kind: Modality): string[] {
  const said = [
    { is: goesBest, text: text.best },
    { is: goesWorst, text: text.worst },
    { is: usedMost, text: text.most },
  ];
  return said.filter((each) => each.is === kind).map((each) => each.text);
}
