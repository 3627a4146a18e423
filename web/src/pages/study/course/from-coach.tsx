/** Where a concept of the coach's course came from, and what became of the gap behind it. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { COACH_COURSE, useGaps } from "../../../api/gaps-cache";
import { coursesStrings } from "../../../strings-study-courses";
import { Fact } from "../../../ui/facts";
import { formatDay } from "../../../ui/when";

const text = coursesStrings.map;

export function FromCoach({ course, concept }: { course: string; concept: string }): ReactNode {
  const found = useGaps(course === COACH_COURSE);
  const gap = found.data?.find((each) => each.course === course && each.concept === concept);
  if (gap === undefined) return null;
  return (
    <>
      {gap.sessionAt !== null && (
        <Fact name={text.facts.from}>
          <Link href="/coach" className="text-accent underline underline-offset-2">
            {text.fromCoach(gap.sessionTitle, formatDay(gap.sessionAt))}
          </Link>
        </Fact>
      )}
      <Fact name={text.facts.gap}>{gap.closed ? text.gapClosed : text.gapOpen}</Fact>
    </>
  );
}
