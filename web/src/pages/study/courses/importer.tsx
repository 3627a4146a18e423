/** Takes a file in as a course: dropped or chosen, sent, and told what came of it. */

import { clsx } from "clsx";
import { FileUp } from "lucide-react";
import { type DragEvent, type ReactNode, useId, useRef, useState } from "react";

import { useImportCourse } from "../../../api/study-cache";
import { coursesStrings } from "../../../strings-study-courses";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { ACCEPTED, kindOf, refusalOf } from "./import-file";
import { Imported } from "./imported";
import { FIELD } from "./new-course";

const text = coursesStrings.import;

export function Importer(): ReactNode {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState("");
  const [isOver, setIsOver] = useState(false);
  const taking = useImportCourse();
  const error = (file === null ? null : refusalOf(file)) ?? taking.error;
  const kind = file === null ? null : kindOf(file.name);
  const take = (found: File | undefined): void => {
    if (found === undefined) return;
    taking.reset();
    setFile(found);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    if (!taking.isPending) take(event.dataTransfer.files[0]);
  };
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
          if (file !== null && kind !== null && error === null) taking.mutate({ kind, name: name.trim(), file });
        }}
      >
        {/* The button inside does the same for everybody who does not drag. */}
        <div
          role="presentation"
          className={clsx(
            "flex flex-col items-center gap-2 rounded-lg border-2 border-dashed p-6 text-center transition-colors",
            isOver ? "border-accent bg-card" : "border-edge",
          )}
          onDragOver={(event) => {
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => {
            setIsOver(false);
          }}
          onDrop={drop}
        >
          <FileUp aria-hidden className="size-8 text-door-ink" />
          <p className="font-semibold">{file === null ? text.drop : text.chosen(file.name, file.size)}</p>
          <Button look="quiet" disabled={taking.isPending} onClick={() => input.current?.click()}>
            {file === null ? text.choose : text.another}
          </Button>
          <input
            ref={input}
            type="file"
            accept={ACCEPTED}
            aria-label={text.choose}
            tabIndex={-1}
            className="sr-only"
            onChange={(event) => {
              take(event.target.files?.[0]);
              // So that the same file can be chosen again after it was mended.
              event.target.value = "";
            }}
          />
          <ul className="text-base text-ink-soft">
            {Object.entries(text.kinds).map(([each, label]) => (
              <li key={each} className={each === kind ? "font-semibold text-ink" : ""}>
                {label}
              </li>
            ))}
          </ul>
        </div>
        <div>
          <label htmlFor={`${id}-name`} className="font-semibold">
            {text.name}
          </label>
          <input
            id={`${id}-name`}
            value={name}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-hint`}
            className={FIELD}
            onChange={(event) => {
              setName(event.target.value);
              taking.reset();
            }}
          />
          <p id={`${id}-hint`} className="text-base text-ink-soft">
            <Marked text={text.nameHint} />
          </p>
        </div>
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
    </section>
  );
}
