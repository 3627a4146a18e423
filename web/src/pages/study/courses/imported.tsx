/** What came of an import. */

import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { Marked } from "../../../ui/marked";
import type { StudyImported } from "../../../wire/generated";
import { Problems } from "./problems";

const text = coursesStrings.import;

export function Imported({ done }: { done: StudyImported }): ReactNode {
  const { course } = done;
  return (
    <div className="rounded-lg border border-line border-l-4 border-l-ok bg-card p-4">
      <p className="flex items-center gap-2 text-lg font-semibold">
        <CircleCheck aria-hidden className="size-5 shrink-0 text-ok" />
        {text.done(course.title)}
      </p>
      <p>{text.added(done.added, done.there)}</p>
      {done.reviewed > 0 && <p>{text.reviewed(done.reviewed)}</p>}
      {done.differing.length > 0 && <p>{text.differing(done.differing.length)}</p>}
      <Listed heading={text.leftOut(done.leftOut.length)} lines={done.leftOut} />
      <Listed heading={text.remarks} lines={done.remarks} />
      <Link
        href={coursePath("course", course.name)}
        className="mt-2 inline-block font-semibold text-accent underline underline-offset-2 hover:text-accent-strong"
      >
        {text.toCourse}
      </Link>
      <Problems problems={course.problems} />
    </div>
  );
}

function Listed({ heading, lines }: { heading: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <details className="mt-1">
      <summary className="w-fit cursor-pointer text-ink-soft hover:text-accent">{heading}</summary>
      <ul className="mt-1 list-disc pl-5 text-base">
        {lines.map((line, place) => (
          <li key={place}>
            <Marked text={line} />
          </li>
        ))}
      </ul>
    </details>
  );
}
