/** Everything about one concept, and a quiz on it. */

import { Shuffle } from "lucide-react";
import type { ReactNode } from "react";

import { coursesStrings } from "../../../strings-study-courses";
import { statusStrings } from "../../../strings-study-progress";
import { Button } from "../../../ui/button";
import { Fact, Facts } from "../../../ui/facts";
import { Marked } from "../../../ui/marked";
import type { StudyConcept, StudyCourse } from "../../../wire/generated";
import { useBeginSession } from "../courses/start";
import { FromCoach } from "./from-coach";
import { daysUntil, lookOf } from "./status";
import { StatusMark } from "./status-mark";

const text = coursesStrings.map;

interface ConceptDetailProps {
  course: StudyCourse;
  concept: StudyConcept;
  now: Date;
  onGoTo: (id: string) => void;
  isHeaded: boolean;
}

export function ConceptDetail({ course, concept, now, onGoTo, isHeaded }: ConceptDetailProps): ReactNode {
  const { begin, isStarting } = useBeginSession(course.name);
  const look = lookOf(concept);
  const isMet = concept.status !== "new";
  const opens = course.concepts.filter(({ prerequisites }) => prerequisites.includes(concept.id)).map(({ id }) => id);
  return (
    <>
      {isHeaded && <h3 className="text-lg">{concept.title}</h3>}
      {concept.description !== "" && <Marked className="block text-base text-ink-soft" text={concept.description} />}
      <div className="mt-2">
        <Facts>
          <Fact name={text.facts.status}>
            <span className="inline-flex items-center gap-1.5">
              <StatusMark look={look} />
              {statusStrings[look]}
            </span>
          </Fact>
          {isMet && <Fact name={text.facts.mastery}>{text.mastery(concept.mastery)}</Fact>}
          {concept.recall !== null && <Fact name={text.facts.recall}>{text.mastery(concept.recall)}</Fact>}
          {concept.due !== null && <Fact name={text.facts.due}>{text.dueIn(daysUntil(concept.due, now))}</Fact>}
          <Fact name={text.facts.level}>
            {isMet
              ? text.reached(coursesStrings.levels[concept.reached], coursesStrings.levels[concept.bloom])
              : coursesStrings.levels[concept.bloom]}
          </Fact>
          {isMet && <Fact name={text.facts.practised}>{text.attempts(concept.attempts)}</Fact>}
          <Fact name={text.facts.contents}>{text.items(concept.items)}</Fact>
          <FromCoach course={course.name} concept={concept.id} />
          <Others name={text.facts.needs} ids={concept.prerequisites} course={course} onGoTo={onGoTo} />
          <Others name={text.facts.opens} ids={opens} course={course} onGoTo={onGoTo} />
          <Others name={text.facts.confused} ids={concept.confusedWith} course={course} onGoTo={onGoTo} />
        </Facts>
      </div>
      {look === "new" && <p className="mt-2 text-base text-ink-soft">{text.waits}</p>}
      {isMet && (
        <Button
          look="quiet"
          className="mt-3"
          aria-disabled={isStarting}
          onClick={() => {
            begin({ kind: "quiz", anew: true, quiz: { concepts: [concept.id] } });
          }}
        >
          <Shuffle aria-hidden className="size-4" />
          {text.quiz}
        </Button>
      )}
    </>
  );
}

interface OthersProps {
  name: string;
  ids: readonly string[];
  course: StudyCourse;
  onGoTo: (id: string) => void;
}

function Others({ name, ids, course, onGoTo }: OthersProps): ReactNode {
  const found = course.concepts.filter(({ id }) => ids.includes(id));
  if (found.length === 0) return null;
  return (
    <Fact name={name}>
      <ul>
        {found.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              className="text-left text-accent underline underline-offset-2 hover:text-accent-strong"
              onClick={() => {
                onGoTo(each.id);
              }}
            >
              {each.title}
            </button>
          </li>
        ))}
      </ul>
    </Fact>
  );
}
