/** Begins a course of one's own from a template. */

import { type ReactNode, useId, useState } from "react";
import { useLocation } from "wouter";

import { useMakeCourse } from "../../../api/study-cache";
import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import type { StudyTemplate } from "../../../wire/generated";

const text = coursesStrings.make;
export const FIELD = "mt-1 min-h-11 w-full rounded-md border border-edge bg-card px-3";

export function NewCourse({ templates }: { templates: readonly StudyTemplate[] }): ReactNode {
  const id = useId();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");
  const [template, setTemplate] = useState(templates[0]?.name ?? "");
  const making = useMakeCourse();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="text-xl">
        {text.heading}
      </h2>
      <p className="mt-1 text-base text-ink-soft">{text.lead}</p>
      <form
        className="mt-4 flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate(
            { name: name.trim(), template, title: title.trim() === "" ? null : title.trim() },
            {
              onSuccess: (course) => {
                notify(text.done(course.title));
                go(coursePath("course", course.name));
              },
            },
          );
        }}
      >
        <fieldset>
          <legend className="font-semibold">{text.template}</legend>
          <div className="mt-1 flex flex-col gap-1">
            {templates.map((each) => (
              <div key={each.name} className="flex items-start gap-3 py-1">
                <input
                  id={`${id}-${each.name}`}
                  type="radio"
                  name={`${id}-template`}
                  checked={template === each.name}
                  aria-describedby={`${id}-${each.name}-about`}
                  className="mt-1 size-5 shrink-0 cursor-pointer accent-(--accent)"
                  onChange={() => {
                    setTemplate(each.name);
                  }}
                />
                <div>
                  <label htmlFor={`${id}-${each.name}`} className="cursor-pointer">
                    {each.title}
                  </label>
                  <p id={`${id}-${each.name}-about`} className="text-base text-ink-soft">
                    {each.description}
                  </p>
                </div>
              </div>
            ))}
          </div>
        </fieldset>
        <Field
          id={`${id}-name`}
          label={text.name}
          hint={text.nameHint}
          value={name}
          onChange={(value) => {
            setName(value);
            making.reset();
          }}
        />
        <Field id={`${id}-title`} label={text.title} hint={text.titleHint} value={title} onChange={setTitle} />
        {making.isError && <FormError id={`${id}-error`} error={making.error} />}
        <Button type="submit" look="quiet" className="self-start" disabled={name.trim() === "" || making.isPending}>
          {making.isPending ? text.making : text.submit}
        </Button>
      </form>
    </section>
  );
}

interface FieldProps {
  id: string;
  label: string;
  hint: string;
  value: string;
  onChange: (value: string) => void;
}

function Field({ id, label, hint, value, onChange }: FieldProps): ReactNode {
  return (
    <div>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        id={id}
        value={value}
        autoComplete="off"
        spellCheck={false}
        aria-describedby={`${id}-hint`}
        className={FIELD}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
      <p id={`${id}-hint`} className="text-base text-ink-soft">
        <Marked text={hint} />
      </p>
    </div>
  );
}
