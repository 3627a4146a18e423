/** The concepts of a course as a map, with the chosen one beside it, and as a table. */

import { clsx } from "clsx";
import { type ReactNode, useId, useMemo, useState } from "react";
import { useSearchParams } from "wouter";

import { coursesStrings } from "../../../strings-study-courses";
import { statusStrings } from "../../../strings-study-progress";
import { Empty } from "../../../ui/empty";
import { DataTable, type TableData } from "../../../ui/plots/data-table";
import { LayeredMap } from "../../../ui/plots/layered-map";
import { useWidth } from "../../../ui/plots/use-width";
import type { StudyConcept, StudyCourse } from "../../../wire/generated";
import { ConceptDetail } from "./concept-detail";
import { firstToShow, FRAMES, isDue, lookOf, LOOKS } from "./status";
import { StatusMark } from "./status-mark";

const text = coursesStrings.map;
const NODE_HEIGHT = 82;
/** Below this there is a list instead of a map; from the other on there is room for something beside it. */
const NARROWEST_MAP = 560;
const ROOM_BESIDE = 800;

export function MapSection({ course }: { course: StudyCourse }): ReactNode {
  const id = useId();
  const [ref, width] = useWidth<HTMLElement>();
  const [now] = useState(() => new Date());
  // A search leads to one concept of the course.
  const [asked] = useSearchParams();
  const [wanted, setWanted] = useState(() => asked.get("concept"));
  const isThere = course.concepts.some((each) => each.id === wanted);
  const chosen = isThere ? wanted : firstToShow(course.concepts, now);
  const concept = course.concepts.find((each) => each.id === chosen);
  // The same list as long as the course is the same: the map is laid out only then.
  const nodes = useMemo(() => course.concepts.map((each) => ({ ...each, needs: each.prerequisites })), [course]);
  const isList = width < NARROWEST_MAP;
  if (course.concepts.length === 0) {
    return (
      <div className="mt-8">
        <Empty title={text.empty} hint={text.emptyHint} />
      </div>
    );
  }
  return (
    <section ref={ref} aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-xl">
        {text.heading}
      </h2>
      {!isList && <p className="mt-1 text-base text-ink-soft">{text.lead}</p>}
      <Legend concepts={course.concepts} />
      <div className={clsx("mt-5 grid items-start gap-8", width >= ROOM_BESIDE && "grid-cols-[minmax(0,1fr)_17rem]")}>
        <LayeredMap
          name={text.name}
          nodes={nodes}
          chosen={chosen}
          onChoose={setWanted}
          nodeHeight={NODE_HEIGHT}
          isList={isList}
          groupOf={({ unit }) => unit}
          look={(each) => FRAMES[lookOf(each)]}
          below={(each) => <ConceptDetail course={course} concept={each} now={now} onGoTo={setWanted} isHeaded={false} />}
        >
          {(each) => <ConceptNode concept={each} isDue={isDue(each, now)} />}
        </LayeredMap>
        {concept !== undefined && !isList && (
          <aside aria-label={text.one} className="sticky top-20 rounded-lg border border-line bg-card p-4">
            <ConceptDetail course={course} concept={concept} now={now} onGoTo={setWanted} isHeaded />
          </aside>
        )}
      </div>
      <DataTable caption={text.table} table={tableOf(course.concepts)} />
    </section>
  );
}

function ConceptNode({ concept, isDue: isWaiting }: { concept: StudyConcept; isDue: boolean }): ReactNode {
  const look = lookOf(concept);
  const isMet = concept.status !== "new";
  return (
    <span className="flex h-full flex-col justify-between gap-1">
      <span className="line-clamp-2 leading-tight font-semibold">{concept.title}</span>
      <span className="flex items-center gap-1.5 text-[0.8125rem] leading-tight text-ink-soft">
        <StatusMark look={look} />
        <span className="truncate">{statusStrings[look]}</span>
        {isWaiting && <b className="ml-auto rounded-full bg-ink px-2 py-0.5 leading-none font-semibold text-paper">{text.due}</b>}
        {isMet && !isWaiting && <span className="ml-auto tabular-nums">{text.mastery(concept.mastery)}</span>}
      </span>
    </span>
  );
}

/** Only the signs that are on the map. */
function Legend({ concepts }: { concepts: readonly StudyConcept[] }): ReactNode {
  const counts = new Map(LOOKS.map((look) => [look, concepts.filter((each) => lookOf(each) === look).length]));
  return (
    <ul aria-label={text.legend} className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-base">
      {LOOKS.filter((look) => (counts.get(look) ?? 0) > 0).map((look) => (
        <li key={look} className="flex items-center gap-1.5">
          <StatusMark look={look} />
          {statusStrings[look]} <span className="text-ink-soft tabular-nums">{counts.get(look)}</span>
        </li>
      ))}
    </ul>
  );
}

function tableOf(concepts: readonly StudyConcept[]): TableData {
  const titles = new Map(concepts.map(({ id, title }) => [id, title]));
  return {
    columns: [...text.columns],
    rows: concepts.map((each) => [
      each.title,
      statusStrings[lookOf(each)],
      text.mastery(each.mastery),
      each.recall === null ? "–" : text.mastery(each.recall),
      each.prerequisites.map((id) => titles.get(id) ?? id).join(", ") || "–",
    ]),
  };
}
