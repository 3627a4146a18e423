/** The progress page of a course: what is remembered now and later, the days, what goes wrong and what goes well. */

import { type ReactNode, useState } from "react";

import { locale } from "../../locale/words";
import { PrintButton } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { Figures } from "../../ui/data/facts";
import { RadioPills } from "../../ui/forms/choice";
import { ShareBars } from "../../ui/plots/bars";
import { addDays, CalendarPlot } from "../../ui/plots/calendar-plot";
import { LinePlot } from "../../ui/plots/line-plot";
import { BottomLabels, HorizontalGrid, MARGIN, Plot, type PlotSize, VerticalMark } from "../../ui/plots/plot";
import { bandAt, bands, labelled, linear, longDay, shortDay, wholeTicks } from "../../ui/plots/scales";
import { Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import { plotStrings } from "../../ui/strings";
import type { ConceptReport, ModalityReport, StudyDay, StudyReport } from "../../wire/generated";
import { Problems, StartButtons, StatusMark, StudyFrame } from "./frame";
import { useCourse, useProgress } from "./hooks";
import { studyStrings } from "./strings";
import { progressStrings } from "./strings-progress";

const text = progressStrings;

export default function ProgressPage({ course }: { course: string }): ReactNode {
  const report = useProgress(course);
  const known = useCourse(course);
  return (
    <StudyFrame
      here="progress"
      course={course}
      title={studyStrings.titles.progress}
      heading={text.heading(report.data?.title ?? known.data?.title ?? course)}
      actions={<PrintButton />}
    >
      <Answered query={report} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
        {(found) => <Plots report={found} exam={known.data?.exam ?? null} />}
      </Answered>
    </StudyFrame>
  );
}

function Plots({ report, exam }: { report: StudyReport; exam: string | null }): ReactNode {
  return (
    <>
      <Problems problems={report.problems} />
      {isBegun(report) ? (
        <>
          <FiguresStrip report={report} />
          <div className="mt-10 flex flex-col gap-12">
            <RecallSection report={report} exam={exam} />
            <LoadSection report={report} exam={exam} />
            <CalendarSection report={report} />
            <div className="grid gap-12 lg:grid-cols-2">
              <FadingSection report={report} />
              <ModalitiesSection report={report} />
            </div>
            <ErrorsSection report={report} />
          </div>
        </>
      ) : (
        <div className="mt-8">
          <Empty title={text.nothing.title} hint={text.nothing.hint}>
            <div className="mt-4">
              <StartButtons course={report.course} due={0} openSession={null} />
            </div>
          </Empty>
        </div>
      )}
    </>
  );
}

const figuresText = progressStrings.figures;

/** Where somebody is, in a few numbers. */
function FiguresStrip({ report }: { report: StudyReport }): ReactNode {
  const figures = figuresOf(report);
  const { planned, measured, reviews } = report.retention;
  const counted = [
    { name: figuresText.mastered, mark: "mastered", value: figures.mastered, note: figuresText.of(figures.total) },
    { name: figuresText.known, mark: "review", value: figures.known },
    { name: figuresText.learning, mark: "learning", value: figures.learning },
    { name: figuresText.toCome, mark: "new", value: figures.toCome },
  ] as const;
  return (
    <Figures
      label={figuresText.label}
      columns={6}
      className="mt-6"
      figures={[
        ...counted.map(({ name, mark, ...rest }) => ({
          ...rest,
          key: name,
          name: (
            <span className="flex items-center gap-1.5">
              <StatusMark look={mark} />
              {name}
            </span>
          ),
        })),
        { key: "due", name: figuresText.due, value: report.due.length },
        {
          key: "recalled",
          name: figuresText.recalled,
          value: measured === null ? "–" : progressStrings.percent(measured),
          note: measured === null ? `${figuresText.noRecalls}, ${figuresText.firstAim(planned)}` : figuresText.aim(planned, reviews),
        },
      ]}
    />
  );
}

const calendarText = progressStrings.calendar;

/** The days of the last half year: how much was done, or how long it took. */
function CalendarSection({ report }: { report: StudyReport }): ReactNode {
  const [shown, setShown] = useState<"exercises" | "minutes">("exercises");
  const totals = totalsOf(report.calendar, report.today);
  const read = shown === "exercises" ? calendarText.readExercises : calendarText.readMinutes;
  const choice = (
    <RadioPills
      label={calendarText.show}
      value={shown}
      options={(["exercises", "minutes"] as const).map((each) => [each, calendarText[each]])}
      onChoose={setShown}
    />
  );
  return (
    <Section className="min-w-0" heading={calendarText.heading} aside={choice}>
      <CalendarPlot
        name={calendarText.name[shown]}
        summary={calendarText.summary(totals.exercises, totals.minutes, totals.days)}
        values={byDay(report.calendar, shown)}
        today={report.today}
        read={({ day, value }) => read(longDay(day), value)}
        columns={calendarText.columns[shown]}
        show={(value) => Math.round(value).toLocaleString(locale())}
      />
    </Section>
  );
}

const MOST_FADING = 8;
const A_WEEK = 7;

interface MemoryProps {
  report: StudyReport;
  exam: string | null;
}

/** What is remembered now and later, and the reviews that are planned against forgetting. */
function RecallSection({ report, exam }: MemoryProps): ReactNode {
  const text = progressStrings.recall;
  const [first, last] = [report.recall.at(0), report.recall.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <LinePlot
        name={text.name}
        summary={text.summary(first.share, last.share, shortDay(last.day))}
        points={report.recall}
        read={({ day, share }) => text.read(longDay(day), share)}
        aim={{ share: report.retention.planned, text: text.aim(report.retention.planned) }}
        mark={exam === null ? null : { day: exam, text: text.exam }}
        columns={text.columns}
      />
    </Section>
  );
}

function LoadSection({ report, exam }: MemoryProps): ReactNode {
  const text = progressStrings.load;
  const bars = report.forecast.map(({ day, expected }) => ({ day, value: Math.round(expected) }));
  const values = bars.map(({ value }) => value);
  if (sum(values) === 0) {
    return (
      <Section className="min-w-0" heading={text.heading}>
        <p className="text-ink-soft">{text.none}</p>
      </Section>
    );
  }
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <BarPlot
        name={text.name}
        summary={text.summary(values[0] ?? 0, sum(values.slice(0, A_WEEK)))}
        bars={bars}
        read={({ day, value }) => text.read(longDay(day), value)}
        mark={exam === null ? null : { day: exam, text: progressStrings.recall.exam }}
        columns={text.columns}
      />
    </Section>
  );
}

function FadingSection({ report }: { report: StudyReport }): ReactNode {
  const text = progressStrings.fading;
  const found = fadingFirst(report.concepts);
  if (found.length === 0) return null;
  const rows = found.slice(0, MOST_FADING).map(({ id, title, recall }) => ({
    id,
    name: title,
    share: recall,
    shown: progressStrings.percent(recall),
  }));
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead(report.retention.planned)}>
      <ShareBars caption={text.caption} columns={text.columns} rows={rows} mark={report.retention.planned} />
      {found.length > MOST_FADING && <p className="mt-1 text-base text-ink-soft">{text.more(found.length - MOST_FADING)}</p>}
    </Section>
  );
}

/** Fewer exercises say nothing about a kind. */
const ENOUGH = 3;

/** A pattern of mistakes; the server says in words what it is and what helps against it, where it knows. */
type Pattern = StudyReport["errors"][number];

/** What goes wrong, and how each kind of exercise goes. */
function ErrorsSection({ report }: { report: StudyReport }): ReactNode {
  const text = progressStrings.errors;
  const most = Math.max(1, ...report.errors.map(({ count }) => count));
  if (report.errors.length === 0) {
    return (
      <Section className="min-w-0" heading={text.heading}>
        <p className="text-ink-soft">{text.none}</p>
      </Section>
    );
  }
  const rows = report.errors.map((error: Pattern) => ({
    id: error.type,
    name: <b className="font-semibold">{sentence(error.says ?? error.type.replaceAll("_", " "))}</b>,
    ...(error.practise != null && { note: error.practise }),
    share: error.count / most,
    shown: text.times(error.count),
  }));
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <ShareBars isWordy caption={text.caption} columns={text.columns} rows={rows} />
    </Section>
  );
}

function ModalitiesSection({ report }: { report: StudyReport }): ReactNode {
  const text = progressStrings.modalities;
  if (report.modalities.length === 0) return null;
  const { best, worst } = extremes(report.modalities);
  const rows = report.modalities.map(({ modality, attempts, average }) => {
    const remark = modality === best ? `, ${text.best.toLowerCase()}` : modality === worst ? `, ${text.worst.toLowerCase()}` : "";
    return {
      id: modality,
      name: studyStrings.modalities[modality],
      note: `${text.attempts(attempts)}${remark}`,
      share: average,
      shown: progressStrings.percent(average),
    };
  });
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <ShareBars caption={text.caption} columns={text.columns} rows={rows} />
    </Section>
  );
}

/** Where it goes best and worst, if the kinds were used enough and differ. */
export function extremes(found: readonly ModalityReport[]): { best: string | null; worst: string | null } {
  const ranked = found.filter(({ attempts }) => attempts >= ENOUGH).sort((one, other) => other.average - one.average);
  const [first, last] = [ranked.at(0), ranked.at(-1)];
  if (first === undefined || last === undefined || first.average === last.average) return { best: null, worst: null };
  return { best: first.modality, worst: last.modality };
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// What the plots of the progress page are made from, worked out of the report.

const HALF_A_YEAR = 26 * 7;

interface Totals {
  exercises: number;
  minutes: number;
  days: number;
}

/** What was done in the weeks that the calendar shows. */
export function totalsOf(calendar: readonly StudyDay[], today: string): Totals {
  const first = addDays(today, -HALF_A_YEAR);
  const shown = calendar.filter(({ day, exercises }) => day > first && day <= today && exercises > 0);
  return {
    exercises: sum(shown.map(({ exercises }) => exercises)),
    minutes: sum(shown.map(({ minutes }) => minutes)),
    days: shown.length,
  };
}

export function byDay(calendar: readonly StudyDay[], value: "exercises" | "minutes"): Record<string, number> {
  return Object.fromEntries(calendar.map((each) => [each.day, each[value]]));
}

/** Everything that was met, the least remembered first. */
export function fadingFirst(concepts: readonly ConceptReport[]): (ConceptReport & { recall: number })[] {
  return concepts
    .flatMap((each) => (each.recall === null ? [] : [{ ...each, recall: each.recall }]))
    .sort((one, other) => one.recall - other.recall);
}

interface PracticeFigures {
  mastered: number;
  known: number;
  learning: number;
  toCome: number;
  total: number;
}

export function figuresOf({ counts, concepts }: Pick<StudyReport, "counts" | "concepts">): PracticeFigures {
  const count = (status: string): number => counts[status] ?? 0;
  return {
    mastered: count("mastered"),
    known: count("review"),
    learning: count("learning") + count("relearning"),
    toCome: count("new"),
    total: concepts.length,
  };
}

/** Whether anything was done that a plot could show. */
export function isBegun(report: StudyReport): boolean {
  return report.calendar.length > 0 || report.recall.length > 0;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

// A number for every day, as bars; the first day stands out because it is today.

interface DayBar {
  day: string;
  value: number;
}

interface BarPlotProps {
  name: string;
  summary: string;
  bars: readonly DayBar[];
  read: (bar: DayBar) => string;
  mark?: { day: string; text: string } | null;
  columns: [string, string];
}

const HEIGHT = 200;

function BarPlot({ name, summary, bars, read, mark = null, columns }: BarPlotProps): ReactNode {
  const inner = ({ width }: PlotSize): number => width - MARGIN.left - MARGIN.right;
  return (
    <Plot
      name={name}
      summary={summary}
      height={HEIGHT}
      points={bars.map(read)}
      pointAt={(x, _, size) => bandAt(x, MARGIN.left, inner(size), bars.length)}
      table={{ columns, rows: bars.map(({ day, value }) => [longDay(day), String(value)]) }}
    >
      {(size, active) => <Bars bars={bars} mark={mark} size={size} active={active} inner={inner(size)} />}
    </Plot>
  );
}

type BarsProps = Pick<BarPlotProps, "bars" | "mark"> & { size: PlotSize; active: number | null; inner: number };

function Bars({ bars, mark, size, active, inner }: BarsProps): ReactNode {
  const bottom = HEIGHT - MARGIN.bottom;
  const right = size.width - MARGIN.right;
  const ticks = wholeTicks(Math.max(0, ...bars.map(({ value }) => value)), 4);
  const y = linear([0, ticks.at(-1) ?? 1], [bottom, MARGIN.top]);
  const row = bands(bars.length, inner, 0.28);
  const marked = mark == null ? -1 : bars.findIndex(({ day }) => day === mark.day);
  const centre = (place: number): number => MARGIN.left + row.at(place) + row.width / 2;
  return (
    <>
      <HorizontalGrid labels={ticks.map((tick) => ({ at: y(tick), text: String(tick) }))} left={MARGIN.left} right={right} />
      {bars.map(({ day, value }, place) => (
        <g key={day}>
          {active === place && (
            <rect x={MARGIN.left + row.at(place) - 3} width={row.width + 6} y={MARGIN.top} height={bottom - MARGIN.top} className="fill-line" />
          )}
          <rect
            x={MARGIN.left + row.at(place)}
            width={row.width}
            y={y(value)}
            height={Math.max(bottom - y(value), 0)}
            rx={Math.min(3, row.width / 3)}
            className={place === 0 ? "fill-accent" : "fill-spine"}
          />
        </g>
      ))}
      <line x1={MARGIN.left} x2={right} y1={bottom} y2={bottom} className="stroke-edge" shapeRendering="crispEdges" />
      {marked >= 0 && <VerticalMark at={centre(marked)} top={MARGIN.top} bottom={bottom} text={mark?.text ?? ""} right={right} />}
      <BottomLabels
        y={bottom}
        left={MARGIN.left}
        right={right}
        labels={labelled(bars.length, inner, 76).map((place) => ({
          at: centre(place),
          text: place === 0 ? plotStrings.today : shortDay(bars[place]?.day ?? ""),
        }))}
      />
    </>
  );
}
