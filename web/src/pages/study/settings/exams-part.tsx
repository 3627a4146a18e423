/** The day of the exam of each course. */

import type { ReactNode } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import { Button } from "../../../ui/button";
import { Field, INPUT } from "../../../ui/field";
import type { StudyProfileChange } from "../../../wire/generated";
import { Part } from "./parts";
import type { PartProps } from "./sessions-part";

const text = settingsStrings.exams;

export function ExamsPart({ profile, change, exams }: PartProps & { exams: StudyProfileChange["exams"] }): ReactNode {
  const setDay = (course: string, day: string | null): void => {
    change({ exams: { ...exams, [course]: day } });
  };
  return (
    <Part heading={text.heading} lead={text.lead}>
      {profile.courses.length === 0 && <p className="text-ink-soft">{text.none}</p>}
      <ul className="flex flex-col gap-4">
        {profile.courses.map(({ name, title, exam }) => (
          <li key={name} className="flex flex-wrap items-end gap-3">
            <Field
              className="max-sm:w-full"
              label={
                <>
                  <span className="sr-only">{text.day}</span>
                  {title}
                </>
              }
            >
              {(wiring) => (
                <input
                  {...wiring}
                  type="date"
                  value={exam ?? ""}
                  className={`${INPUT} w-48`}
                  onChange={(event) => {
                    setDay(name, event.target.value === "" ? null : event.target.value);
                  }}
                />
              )}
            </Field>
            {exam !== null && (
              <Button
                look="quiet"
                aria-label={text.clearFor(title)}
                onClick={() => {
                  setDay(name, null);
                }}
              >
                {text.clear}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}
