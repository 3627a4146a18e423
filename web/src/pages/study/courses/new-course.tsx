/** Begins a course of one's own from a template. */

import { type ReactNode, useId, useState } from "react";
import { useLocation } from "wouter";

import { useMakeCourse } from "../../../api/study-cache";
import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { TextField } from "../../../ui/field";
import { Section } from "../../../ui/section";
import type { StudyTemplate } from "../../../wire/generated";

const text = coursesStrings.make;

export function NewCourse({ templates }: { templates: readonly StudyTemplate[] }): ReactNode {
  const id = useId();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");
  const [template, setTemplate] = useState(templates[0]?.name ?? "");
  const making = useMakeCourse();
  return (
    <Section heading={text.heading} lead={text.lead} className="">
      <form
        className="flex flex-col gap-4"
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
        <TextField
          label={text.name}
          hint={text.nameHint}
          error={making.error}
          value={name}
          onChange={(value) => {
            setName(value);
            making.reset();
          }}
        />
        <TextField label={text.title} hint={text.titleHint} value={title} onChange={setTitle} />
        <Button type="submit" look="quiet" className="self-start" disabled={name.trim() === "" || making.isPending}>
          {making.isPending ? text.making : text.submit}
        </Button>
      </form>
    </Section>
  );
}
