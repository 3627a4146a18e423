/** What came of an import. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { Marked } from "../../../ui/marked";
import { More } from "../../../ui/more";
import { Notice } from "../../../ui/notice";
import type { StudyImported } from "../../../wire/generated";
import { Problems } from "../problems";

const text = coursesStrings.import;

export function Imported({ done }: { done: StudyImported }): ReactNode {
  const { course } = done;
  return (
    <Notice tone="ok" title={text.done(course.title)}>
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
