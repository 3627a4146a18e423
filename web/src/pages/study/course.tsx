/** The page of a course: into a session, the map of its concepts, what it is, and a copy to take along. */

import { clsx } from "clsx";
import { Download as DownloadIcon, Shuffle } from "lucide-react";
import { type ReactNode, useId, useMemo, useState } from "react";
import { Link, useSearchParams } from "wouter";

import { useServices } from "../../services";
import { Button, useDownload } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { Fact, Facts } from "../../ui/data/facts";
import { formatDay } from "../../ui/data/when";
import { Marked } from "../../ui/marked";
import { Menu, MenuItem } from "../../ui/menu";
import { LayeredMap } from "../../ui/plots/layered-map";
import { DataTable, type TableData, useWidth } from "../../ui/plots/plot";
import { fullDay } from "../../ui/plots/scales";
import { Skeleton } from "../../ui/skeleton";
import type { StudyConcept, StudyCourse } from "../../wire/generated";
import { COACH_COURSE, useGaps } from "../gaps";
import { STUDY_EXPORTS, type StudyExport } from "./api";
import {
  daysUntil,
  firstToShow,
  FRAMES,
  isDue,
  lookOf,
  LOOKS,
  Problems,
  StartButtons,
  StatusMark,
  StudyFrame,
  useBeginSession,
} from "./frame";
import { useCourse } from "./hooks";
import { studyStrings } from "./strings";
import { coursesStrings } from "./strings-courses";
import { statusStrings } from "./strings-progress";

const text = coursesStrings.course;

export default function CoursePage({ course: name }: { course: string }): ReactNode {
  const course = useCourse(name);
  const { data } = course;
  return (
    <StudyFrame
      here="course"
      course={name}
      title={data?.title ?? studyStrings.titles.course}
      heading={data?.title ?? name}
      about={data?.description}
    >
      <Answered query={course} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
        {(found) => <Content course={found} />}
      </Answered>
    </StudyFrame>
  );
}

function Content({ course }: { course: StudyCourse }): ReactNode {
  return (
    <>
      <p className="mt-4 flex flex-wrap gap-x-4 text-base text-ink-soft">
        <span>{coursesStrings.domains[course.domain]}</span>
        <span>{coursesStrings.contents(course.concepts.length, course.items, course.vocabulary)}</span>
        {course.sourceLanguage !== null && course.targetLanguage !== null && (
          <span>{text.languages(course.sourceLanguage, course.targetLanguage)}</span>
        )}
        {course.exam !== null && <span className="font-semibold text-ink">{coursesStrings.exam(fullDay(course.exam))}</span>}
      </p>
      <div className="mt-4 flex flex-wrap items-start gap-3">
        <StartButtons course={course.name} due={course.due} openSession={course.openSession} canQuiz={course.begun} />
        <ExportMenu course={course.name} />
      </div>
      <Problems problems={course.problems} />
      <MapSection course={course} />
      <p className="mt-10 text-base text-ink-soft">
        {course.shipped ? coursesStrings.shipped : text.folder}
        {course.folder !== "" && (
          <>
            {": "}
            <code className="break-all">{course.folder}</code>
          </>
        )}
      </p>
    </>
  );
}

/** A copy of a course to take along. */
function ExportMenu({ course }: { course: string }): ReactNode {
  const { study } = useServices().api;
  const { isBusy, download } = useDownload(text, (to: StudyExport) => study.exportCourse(course, to));
  return (
    <Menu
      label={text.exportMenu}
      isBusy={isBusy}
      button={
        <>
          <DownloadIcon aria-hidden className="size-4" />
          {isBusy ? text.exporting : text.export}
        </>
      }
    >
      {STUDY_EXPORTS.map((to) => (
        <MenuItem
          key={to}
          onSelect={() => {
            download(to);
          }}
        >
          {text.exports[to]}
        </MenuItem>
      ))}
    </Menu>
  );
}

const mapText = coursesStrings.map;
const NODE_HEIGHT = 82;
/** Below this there is a list instead of a map; from the other on there is room for something beside it. */
const NARROWEST_MAP = 560;
const ROOM_BESIDE = 800;

/** The concepts of a course as a map, with the chosen one beside it, and as a table. */
function MapSection({ course }: { course: StudyCourse }): ReactNode {
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
        <Empty title={mapText.empty} hint={mapText.emptyHint} />
      </div>
    );
  }
  return (
    <section ref={ref} aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-xl">
        {mapText.heading}
      </h2>
      {!isList && <p className="mt-1 text-base text-ink-soft">{mapText.lead}</p>}
      <Legend concepts={course.concepts} />
      <div className={clsx("mt-5 grid items-start gap-8", width >= ROOM_BESIDE && "grid-cols-[minmax(0,1fr)_17rem]")}>
        <LayeredMap
          name={mapText.name}
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
          <aside aria-label={mapText.one} className="sticky top-20 rounded-lg border border-line bg-card p-4">
            <ConceptDetail course={course} concept={concept} now={now} onGoTo={setWanted} isHeaded />
          </aside>
        )}
      </div>
      <DataTable caption={mapText.table} table={tableOf(course.concepts)} />
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
        {isWaiting && <b className="ml-auto rounded-full bg-ink px-2 py-0.5 leading-none font-semibold text-paper">{mapText.due}</b>}
        {isMet && !isWaiting && <span className="ml-auto tabular-nums">{mapText.mastery(concept.mastery)}</span>}
      </span>
    </span>
  );
}

/** Only the signs that are on the map. */
function Legend({ concepts }: { concepts: readonly StudyConcept[] }): ReactNode {
  const counts = new Map(LOOKS.map((look) => [look, concepts.filter((each) => lookOf(each) === look).length]));
  return (
    <ul aria-label={mapText.legend} className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-base">
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
    columns: [...mapText.columns],
    rows: concepts.map((each) => [
      each.title,
      statusStrings[lookOf(each)],
      mapText.mastery(each.mastery),
      each.recall === null ? "–" : mapText.mastery(each.recall),
      each.prerequisites.map((id) => titles.get(id) ?? id).join(", ") || "–",
    ]),
  };
}

interface ConceptDetailProps {
  course: StudyCourse;
  concept: StudyConcept;
  now: Date;
  onGoTo: (id: string) => void;
  isHeaded: boolean;
}

/** Everything about one concept, and a quiz on it. */
function ConceptDetail({ course, concept, now, onGoTo, isHeaded }: ConceptDetailProps): ReactNode {
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
          <Fact name={mapText.facts.status}>
            <span className="inline-flex items-center gap-1.5">
              <StatusMark look={look} />
              {statusStrings[look]}
            </span>
          </Fact>
          {isMet && <Fact name={mapText.facts.mastery}>{mapText.mastery(concept.mastery)}</Fact>}
          {concept.recall !== null && <Fact name={mapText.facts.recall}>{mapText.mastery(concept.recall)}</Fact>}
          {concept.due !== null && <Fact name={mapText.facts.due}>{mapText.dueIn(daysUntil(concept.due, now))}</Fact>}
          <Fact name={mapText.facts.level}>
            {isMet
              ? mapText.reached(coursesStrings.levels[concept.reached], coursesStrings.levels[concept.bloom])
              : coursesStrings.levels[concept.bloom]}
          </Fact>
          {isMet && <Fact name={mapText.facts.practised}>{mapText.attempts(concept.attempts)}</Fact>}
          <Fact name={mapText.facts.contents}>{mapText.items(concept.items)}</Fact>
          <FromCoach course={course.name} concept={concept.id} />
          <Others name={mapText.facts.needs} ids={concept.prerequisites} course={course} onGoTo={onGoTo} />
          <Others name={mapText.facts.opens} ids={opens} course={course} onGoTo={onGoTo} />
          <Others name={mapText.facts.confused} ids={concept.confusedWith} course={course} onGoTo={onGoTo} />
        </Facts>
      </div>
      {look === "new" && <p className="mt-2 text-base text-ink-soft">{mapText.waits}</p>}
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
          {mapText.quiz}
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

/** Where a concept of the coach's course came from, and what became of the gap behind it. */
function FromCoach({ course, concept }: { course: string; concept: string }): ReactNode {
  const found = useGaps(course === COACH_COURSE);
  const gap = found.data?.find((each) => each.course === course && each.concept === concept);
  if (gap === undefined) return null;
  return (
    <>
      {gap.sessionAt !== null && (
        <Fact name={mapText.facts.from}>
          <Link href="/coach" className="text-accent underline underline-offset-2">
            {mapText.fromCoach(gap.sessionTitle, formatDay(gap.sessionAt))}
          </Link>
        </Fact>
      )}
      <Fact name={mapText.facts.gap}>{gap.closed ? mapText.gapClosed : mapText.gapOpen}</Fact>
    </>
  );
}
