/** Which class somebody is in, so that its teacher sees what many get wrong. */

import type { ReactNode } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import { Field, INPUT } from "../../../ui/field";
import { Part } from "./parts";
import type { PartProps } from "./sessions-part";

const text = settingsStrings.class;

export function ClassPart({ profile, change }: PartProps): ReactNode {
  return (
    <Part heading={text.heading}>
      <Field label={text.name} hint={text.hint}>
        {(wiring) => (
          <input
            {...wiring}
            value={profile.classId}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            className={`${INPUT} w-40`}
            onChange={(event) => {
              change({ classId: event.target.value });
            }}
          />
        )}
      </Field>
    </Part>
  );
}
