/** Takes a file in as a course: dropped or chosen, sent, and told what came of it. */

import { FileUp } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

import { useImportCourse } from "../../../api/study-cache";
import { coursesStrings } from "../../../strings-study-courses";
import { Button } from "../../../ui/button";
import { DropZone } from "../../../ui/drop-zone";
import { TextField } from "../../../ui/field";
import { FormError } from "../../../ui/form-error";
import { Section } from "../../../ui/section";
import { ACCEPTED, kindOf, refusalOf } from "./import-file";
import { Imported } from "./imported";

const text = coursesStrings.import;

export function Importer(): ReactNode {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const taking = useImportCourse();
  const error = (file === null ? null : refusalOf(file)) ?? taking.error;
  const kind = file === null ? null : kindOf(file.name);
  const take = (found: File): void => {
    taking.reset();
    setFile(found);
  };
  return (
    <Section heading={text.heading} lead={text.lead} className="">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && kind !== null && error === null) taking.mutate({ kind, name: name.trim(), file });
        }}
      >
        <DropZone
          accept={ACCEPTED}
          label={text.choose}
          button={file === null ? text.choose : text.another}
          disabled={taking.isPending}
          onFile={take}
          below={
            <ul className="text-base text-ink-soft">
              {Object.entries(text.kinds).map(([each, label]) => (
                <li key={each} className={each === kind ? "font-semibold text-ink" : ""}>
                  {label}
                </li>
              ))}
            </ul>
          }
        >
          <FileUp aria-hidden className="size-8 text-door-ink" />
          <p className="font-semibold">{file === null ? text.drop : text.chosen(file.name, file.size)}</p>
        </DropZone>
        <TextField
          label={text.name}
          hint={text.nameHint}
          value={name}
          onChange={(typed) => {
            setName(typed);
            taking.reset();
          }}
        />
        {error !== null && <FormError id={`${id}-error`} error={error} />}
        <Button type="submit" className="self-start" disabled={file === null || error !== null || taking.isPending}>
          {text.submit}
        </Button>
        <div role="status">
          {taking.isPending && file !== null && (
            <>
              <p>{text.importing(file.name, file.size)}</p>
              <div aria-hidden className="mt-2 h-2 overflow-hidden rounded-full bg-line">
                <div className="h-full animate-pulse rounded-full bg-accent" />
              </div>
            </>
          )}
          {taking.data !== undefined && <Imported done={taking.data} />}
        </div>
      </form>
    </Section>
  );
}
