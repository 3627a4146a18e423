/** The courses: those that were begun, those that could be, and two ways to get another. */

import { CirclePlay, FileUp, TriangleAlert } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { Link, useLocation } from "wouter";

import { coursePath } from "../../routes";
import { Button, More } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { DropZone } from "../../ui/forms/drop-zone";
import { FormError, TextField } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { fullDay } from "../../ui/plots/scales";
import { Notice, Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify } from "../../ui/toasts";
import type { StudyCourseSummary, StudyImported, StudyTemplate, StudyToday } from "../../wire/generated";
import { ApiError } from "../../wire/http";
import type { StudyImport } from "./api";
import { Problems, StudyFrame } from "./frame";
import { useImportCourse, useMakeCourse, useToday } from "./hooks";
import { studyStrings } from "./strings";
import { coursesStrings } from "./strings-courses";

const text = coursesStrings;

export default function CoursesPage(): ReactNode {
  return (
    <StudyFrame here="courses" heading={studyStrings.titles.courses} about={text.lead}>
      <Answered query={useToday()} words={text} skeleton={<SkeletonRows className="mt-8" />}>
        {(today) => <Content today={today} />}
      </Answered>
    </StudyFrame>
  );
}

function Content({ today }: { today: StudyToday }): ReactNode {
  const begun = today.courses.filter((course) => course.begun);
  const others = today.courses.filter((course) => !course.begun);
  return (
    <>
      <Problems problems={today.problems} />
      {today.courses.length === 0 && (
        <div className="mt-8">
          <Empty title={text.none} hint={text.noneHint} />
        </div>
      )}
      <Shelf heading={text.yours} courses={begun} />
      <Shelf heading={text.others} courses={others} />
      <div className="mt-12 grid items-start gap-x-12 gap-y-10 lg:grid-cols-2">
        <Importer />
        <NewCourse templates={today.templates} />
      </div>
    </>
  );
}

function Shelf({ heading, courses }: { heading: string; courses: readonly StudyCourseSummary[] }): ReactNode {
  if (courses.length === 0) return null;
  return (
    <Section heading={heading} className="mt-8">
      <ul className="grid gap-6 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
        {courses.map((course) => (
          <CourseCard key={course.name} course={course} />
        ))}
      </ul>
    </Section>
  );
}

/** A course as an exercise book: its label, what is in it, how far somebody is. */
function CourseCard({ course }: { course: StudyCourseSummary }): ReactNode {
  return (
    <li className="flex">
      <Link
        href={coursePath("course", course.name)}
        className="cover group flex w-full flex-col gap-3 py-5 pr-5 pl-9 transition-[translate,box-shadow] hover:-translate-y-0.5 hover:shadow-lg"
      >
        <span className="label block px-5 py-4">
          <span className="block font-heading text-xl font-semibold group-hover:underline">{course.title}</span>
          <span className="block text-base text-ink-soft">
            {text.domains[course.domain]} · {course.shipped ? text.shipped : text.own}
          </span>
        </span>
        {course.description !== "" && <span>{course.description}</span>}
        <span className="text-base">{text.contents(course.concepts, course.items, course.vocabulary)}</span>
        {course.begun && <HowFar course={course} />}
        {course.problems.length > 0 && (
          <span className="flex items-center gap-1.5 text-base font-semibold">
            <TriangleAlert aria-hidden className="size-4 text-warn" />
            {text.problems(course.problems.length)}
          </span>
        )}
      </Link>
    </li>
  );
}

function HowFar({ course }: { course: StudyCourseSummary }): ReactNode {
  const share = course.concepts === 0 ? 0 : course.mastered / course.concepts;
  const isOpen = course.openSession !== null && !course.openSession.stale;
  return (
    <span className="mt-auto block">
      <span aria-hidden className="block h-2.5 overflow-hidden rounded-full border border-edge bg-card">
        <span className="block h-full bg-door-ink" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="mt-1 flex flex-wrap gap-x-4 text-base">
        <span>{text.mastered(course.mastered, course.concepts)}</span>
        <span className="font-semibold">{course.due > 0 ? text.due(course.due) : text.notDue}</span>
        {course.exam !== null && <span>{text.exam(fullDay(course.exam))}</span>}
        {isOpen && (
          <span className="flex items-center gap-1 font-semibold">
            <CirclePlay aria-hidden className="size-4" />
            {text.open}
          </span>
        )}
      </span>
    </span>
  );
}

const makeText = coursesStrings.make;

/** Begins a course of one's own from a template. */
function NewCourse({ templates }: { templates: readonly StudyTemplate[] }): ReactNode {
  const id = useId();
  const [, go] = useLocation();
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");
  const [template, setTemplate] = useState(templates[0]?.name ?? "");
  const making = useMakeCourse();
  return (
    <Section heading={makeText.heading} lead={makeText.lead} className="">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          making.mutate(
            { name: name.trim(), template, title: title.trim() === "" ? null : title.trim() },
            {
              onSuccess: (course) => {
                notify(makeText.done(course.title));
                go(coursePath("course", course.name));
              },
            },
          );
        }}
      >
        <fieldset>
          <legend className="font-semibold">{makeText.template}</legend>
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
          label={makeText.name}
          hint={makeText.nameHint}
          error={making.error}
          value={name}
          onChange={(value) => {
            setName(value);
            making.reset();
          }}
        />
        <TextField label={makeText.title} hint={makeText.titleHint} value={title} onChange={setTitle} />
        <Button type="submit" look="quiet" className="self-start" disabled={name.trim() === "" || making.isPending}>
          {making.isPending ? makeText.making : makeText.submit}
        </Button>
      </form>
    </Section>
  );
}

const importText = coursesStrings.import;

/** Takes a file in as a course: dropped or chosen, sent, and told what came of it. */
function Importer(): ReactNode {
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
    <Section heading={importText.heading} lead={importText.lead} className="">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && kind !== null && error === null) taking.mutate({ kind, name: name.trim(), file });
        }}
      >
        <DropZone
          accept={ACCEPTED}
          label={importText.choose}
          button={file === null ? importText.choose : importText.another}
          disabled={taking.isPending}
          onFile={take}
          below={
            <ul className="text-base text-ink-soft">
              {Object.entries(importText.kinds).map(([each, label]) => (
                <li key={each} className={each === kind ? "font-semibold text-ink" : ""}>
                  {label}
                </li>
              ))}
            </ul>
          }
        >
          <FileUp aria-hidden className="size-8 text-door-ink" />
          <p className="font-semibold">{file === null ? importText.drop : importText.chosen(file.name, file.size)}</p>
        </DropZone>
        <TextField
          label={importText.name}
          hint={importText.nameHint}
          value={name}
          onChange={(typed) => {
            setName(typed);
            taking.reset();
          }}
        />
        {error !== null && <FormError id={`${id}-error`} error={error} />}
        <Button type="submit" className="self-start" disabled={file === null || error !== null || taking.isPending}>
          {importText.submit}
        </Button>
        <div role="status">
          {taking.isPending && file !== null && (
            <>
              <p>{importText.importing(file.name, file.size)}</p>
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

/** What came of an import. */
function Imported({ done }: { done: StudyImported }): ReactNode {
  const { course } = done;
  return (
    <Notice tone="ok" title={importText.done(course.title)}>
      <p>{importText.added(done.added, done.there)}</p>
      {done.reviewed > 0 && <p>{importText.reviewed(done.reviewed)}</p>}
      {done.differing.length > 0 && <p>{importText.differing(done.differing.length)}</p>}
      <Listed heading={importText.leftOut(done.leftOut.length)} lines={done.leftOut} />
      <Listed heading={importText.remarks} lines={done.remarks} />
      <Link
        href={coursePath("course", course.name)}
        className="mt-2 inline-block font-semibold text-accent underline underline-offset-2 hover:text-accent-strong"
      >
        {importText.toCourse}
      </Link>
      <Problems problems={course.problems} />
    </Notice>
  );
}

function Listed({ heading, lines }: { heading: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <More words={heading} className="mt-1">
      <ul className="mt-1 list-disc pl-5 text-base">
        {lines.map((line, place) => (
          <li key={place}>
            <Marked text={line} />
          </li>
        ))}
      </ul>
    </More>
  );
}

// What a file is that somebody wants to import, and whether it can be. Pure.

/** More would not fit into what the server takes. */
export const MOST_BYTES = 64 * 1024 * 1024;
const ENDINGS: Record<string, StudyImport> = {
  apkg: "anki",
  colpkg: "anki",
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  zip: "exercism",
};
const ACCEPTED = Object.keys(ENDINGS).map((ending) => `.${ending}`).join(",");

export function kindOf(name: string): StudyImport | null {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  return ENDINGS[ending] ?? null;
}

/** Why a file cannot be imported; nothing when it can be tried. */
export function refusalOf({ name, size }: { name: string; size: number }): ApiError | null {
  if (kindOf(name) === null) return new ApiError(importText.unknown(name), importText.unknownHint, null);
  if (size > MOST_BYTES) return new ApiError(importText.tooLarge(name, size), importText.tooLargeHint(MOST_BYTES), null);
  return null;
}
