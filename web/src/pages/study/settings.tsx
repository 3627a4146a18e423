/** The settings of Study: how long, how much to remember, which days, which exams, which kinds of exercise. */

import { clsx } from "clsx";
import { type ReactNode, useId, useState } from "react";

import { Button, More } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { RadioPill } from "../../ui/forms/choice";
import { Field, FormError, Hint, INPUT, Tick } from "../../ui/forms/field";
import { SaveButtons } from "../../ui/forms/save-buttons";
import { Marked } from "../../ui/marked";
import { ShareBars } from "../../ui/plots/bars";
import { range, weekdayName } from "../../ui/plots/scales";
import { Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import { plotStrings } from "../../ui/strings";
import { notify } from "../../ui/toasts";
import type { StudyProfile, StudyProfileChange } from "../../wire/generated";
import { Problems, StudyFrame } from "./frame";
import { useProfile, useSaveProfile } from "./hooks";
import { studyStrings } from "./strings";
import { settingsStrings } from "./strings-progress";

const text = settingsStrings;

export default function SettingsPage(): ReactNode {
  const profile = useProfile();
  const { data } = profile;
  return (
    <StudyFrame here="settings" heading={studyStrings.titles.settings} about={text.lead}>
      {data !== undefined && (
        <Problems problems={data.problems} heading={text.damaged.title} hint={text.damaged.hint}>
          <Button look="quiet" className="mt-3" disabled={profile.isFetching} onClick={() => void profile.refetch()}>
            {text.damaged.again}
          </Button>
        </Problems>
      )}
      <Answered query={profile} words={text} skeleton={<Skeleton className="mt-8 h-96 max-w-3xl" />}>
        {(found) => found.problems.length === 0 && <SettingsForm profile={found} />}
      </Answered>
    </StudyFrame>
  );
}

function SettingsForm({ profile }: { profile: StudyProfile }): ReactNode {
  const [draft, setDraft] = useState<StudyProfileChange>({});
  const save = useSaveProfile();
  const changes = changesOf(profile, draft);
  const isChanged = Object.keys(changes).length > 0;
  const parts = {
    profile: withDraft(profile, draft),
    change: (more: StudyProfileChange) => {
      setDraft((before) => ({ ...before, ...more }));
      save.reset();
    },
  };
  return (
    <form
      className="mt-8 flex max-w-3xl flex-col gap-8"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isChanged) return;
        save.mutate(changes, {
          onSuccess: () => {
            setDraft({});
            notify(text.saved);
          },
        });
      }}
    >
      <SessionsPart {...parts} />
      <RetentionPart {...parts} />
      <WeekPart {...parts} />
      <ExamsPart {...parts} exams={draft.exams} />
      <ClassPart {...parts} />
      <KindsPart {...parts} />
      <Marked className="block text-base break-words text-ink-soft" text={text.file(profile.file)} />
      {/* Above the bar at the bottom of narrow windows. */}
      <div
        className={clsx(
          "flex flex-wrap items-center gap-3 rounded-lg border border-line bg-card p-3",
          isChanged && "sticky bottom-20 shadow-lg md:bottom-4",
        )}
      >
        <SaveButtons
          words={text}
          isChanged={isChanged}
          isSaving={save.isPending}
          onUndo={() => {
            setDraft({});
            save.reset();
          }}
        />
        <p role="status" className="text-base text-ink-soft">
          {isChanged ? text.unsaved : ""}
        </p>
        {save.isError && <FormError id="settings-error" error={save.error} />}
      </div>
    </form>
  );
}

const sessionText = settingsStrings.session;

interface PartProps {
  /** As it would be with what was changed so far. */
  profile: StudyProfile;
  change: (changes: StudyProfileChange) => void;
}

/** How long a session is, and what explanations begin with. */
function SessionsPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  return (
    <Part heading={sessionText.heading}>
      <Field label={sessionText.minutes} hint={sessionText.minutesHint}>
        {(wiring) => (
          <input
            {...wiring}
            type="number"
            inputMode="numeric"
            min={5}
            max={240}
            required
            value={profile.sessionMinutes || ""}
            className={`${INPUT} w-28`}
            onChange={(event) => {
              change({ sessionMinutes: Number(event.target.value) });
            }}
          />
        )}
      </Field>
      <fieldset>
        <legend className="font-semibold">{sessionText.style}</legend>
        <div className="mt-2 mb-1 flex flex-wrap gap-2">
          {(["examples_first", "explanation_first"] as const).map((style) => (
            <RadioPill
              key={style}
              name={`${id}-style`}
              label={style === "examples_first" ? sessionText.examples : sessionText.explanation}
              isChosen={profile.explanationStyle === style}
              onChoose={() => {
                change({ explanationStyle: style });
              }}
            />
          ))}
        </div>
        <Hint id={`${id}-style-hint`} text={sessionText.styleHint} />
      </fieldset>
    </Part>
  );
}

const daysText = settingsStrings.days;

/** Easy days, whether reviews are spread, and where a day ends. */
function WeekPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Part heading={daysText.heading}>
      <fieldset aria-describedby={`${id}-easy`}>
        <legend className="font-semibold">{daysText.easy}</legend>
        <div className="mt-1 grid grid-cols-2 gap-x-6 sm:grid-cols-4">
          {range(0, 6).map((weekday) => (
            <Tick
              key={weekday}
              label={weekdayName(weekday)}
              isTicked={(profile.easyDays[weekday] ?? 1) < 1}
              onTick={(isEasy) => {
                change({ easyDays: withDay(profile.easyDays, weekday, isEasy) });
              }}
            />
          ))}
        </div>
        <Hint id={`${id}-easy`} text={daysText.easyHint} />
      </fieldset>
      <Tick
        label={daysText.balance}
        hint={daysText.balanceHint}
        isTicked={profile.balance}
        onTick={(balance) => {
          change({ balance });
        }}
      />
      <Field label={daysText.zone} hint={daysText.zoneHint}>
        {(wiring) => (
          <div className="flex flex-wrap items-end gap-3">
            <input
              {...wiring}
              value={profile.zone}
              autoComplete="off"
              spellCheck={false}
              className={`${INPUT} w-full max-w-72`}
              onChange={(event) => {
                change({ zone: event.target.value });
              }}
            />
            {profile.zone !== here && (
              <Button
                look="quiet"
                onClick={() => {
                  change({ zone: here });
                }}
              >
                {daysText.zoneHere(here)}
              </Button>
            )}
          </div>
        )}
      </Field>
    </Part>
  );
}

const retentionText = settingsStrings.retention;
const COMPARED = [0.8, 0.85, 0.9, 0.93, 0.95, 0.97];
const TEN_DAYS = 10;

/** How much somebody wants to remember, and what that costs in reviews. */
function RetentionPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  const share = profile.retention;
  const most = timesAt(COMPARED.at(-1) ?? HIGHEST);
  return (
    <Part heading={retentionText.heading}>
      <div>
        <div className="flex items-baseline justify-between gap-4">
          <label htmlFor={id} className="font-semibold">
            {retentionText.label}
          </label>
          <output htmlFor={id} className="font-heading text-3xl font-semibold tabular-nums">
            {retentionText.value(share)}
          </output>
        </div>
        {/* Two lines are kept for it, so that nothing moves while the handle does. */}
        <p id={`${id}-cost`} className="min-h-[4.8em] sm:min-h-[3.2em]">
          {retentionText.cost(share, timesAt(share), Math.max(1, Math.round(TEN_DAYS * waitAt(share))))} {remark(share)}
        </p>
        <input
          id={id}
          type="range"
          min={LOWEST * 100}
          max={HIGHEST * 100}
          step={1}
          value={Math.round(share * 100)}
          aria-valuetext={retentionText.value(share)}
          aria-describedby={`${id}-cost`}
          className="mt-2 h-11 w-full cursor-pointer accent-(--accent)"
          onChange={(event) => {
            change({ retention: Number(event.target.value) / 100 });
          }}
        />
      </div>
      <More words={retentionText.table} about={plotStrings.asTable} className="">
        <div className="mt-2">
          <ShareBars
            caption={retentionText.table}
            columns={retentionText.columns}
            rows={COMPARED.map((each) => ({
              id: String(each),
              name: retentionText.value(each),
              share: timesAt(each) / most,
              shown: retentionText.times(timesAt(each)),
            }))}
          />
        </div>
      </More>
    </Part>
  );
}

function remark(share: number): string {
  if (share < 0.8) return retentionText.low;
  if (share > 0.95) return retentionText.high;
  return Math.abs(share - 0.9) < 0.005 ? retentionText.usual : "";
}

const examsText = settingsStrings.exams;

/** The day of the exam of each course. */
function ExamsPart({ profile, change, exams }: PartProps & { exams: StudyProfileChange["exams"] }): ReactNode {
  const setDay = (course: string, day: string | null): void => {
    change({ exams: { ...exams, [course]: day } });
  };
  return (
    <Part heading={examsText.heading} lead={examsText.lead}>
      {profile.courses.length === 0 && <p className="text-ink-soft">{examsText.none}</p>}
      <ul className="flex flex-col gap-4">
        {profile.courses.map(({ name, title, exam }) => (
          <li key={name} className="flex flex-wrap items-end gap-3">
            <Field
              className="max-sm:w-full"
              label={
                <>
                  <span className="sr-only">{examsText.day}</span>
                  {title}
                </>
              }
            >
              {(wiring) => (
                <input
                  {...wiring}
                  type="date"
                  value={exam ?? ""}
                  className={`${INPUT} w-48`}
                  onChange={(event) => {
                    setDay(name, event.target.value === "" ? null : event.target.value);
                  }}
                />
              )}
            </Field>
            {exam !== null && (
              <Button
                look="quiet"
                aria-label={examsText.clearFor(title)}
                onClick={() => {
                  setDay(name, null);
                }}
              >
                {examsText.clear}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

const kindsText = settingsStrings.kinds;
const WISHES: readonly Wish[] = ["more", "neutral", "never"];
type Modality = StudyProfile["preferred"][number];

/** Which kinds of exercise somebody wants more of, and which never. */
function KindsPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  const kinds = Object.entries(studyStrings.modalities) as [Modality, string][];
  return (
    <Part heading={kindsText.heading} lead={kindsText.lead}>
      <ul>
        {kinds.map(([kind, name]) => (
          <li key={kind} className="border-b border-rule last:border-0">
            <fieldset className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
              <legend className="sr-only">{kindsText.group(name)}</legend>
              <span aria-hidden>
                <span className="block font-semibold">{name}</span>
                <span className="block text-base text-ink-soft">{remarksOn(profile, kind).join(", ")}</span>
              </span>
              <span className="flex gap-2">
                {WISHES.map((wish) => (
                  <RadioPill
                    key={wish}
                    name={`${id}-${kind}`}
                    label={kindsText[wish]}
                    isChosen={wishFor(profile, kind) === wish}
                    onChoose={() => {
                      change(withWish(profile, kind, wish));
                    }}
                  />
                ))}
              </span>
            </fieldset>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** What results say about a kind. */
function remarksOn({ goesBest, goesWorst, usedMost }: StudyProfile, kind: Modality): string[] {
  const said = [
    { is: goesBest, text: kindsText.best },
    { is: goesWorst, text: kindsText.worst },
    { is: usedMost, text: kindsText.most },
  ];
  return said.filter((each) => each.is === kind).map((each) => each.text);
}

const classText = settingsStrings.class;

/** Which class somebody is in, so that its teacher sees what many get wrong. */
function ClassPart({ profile, change }: PartProps): ReactNode {
  return (
    <Part heading={classText.heading}>
      <Field label={classText.name} hint={classText.hint}>
        {(wiring) => (
          <input
            {...wiring}
            value={profile.classId}
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            className={`${INPUT} w-40`}
            onChange={(event) => {
              change({ classId: event.target.value });
            }}
          />
        )}
      </Field>
    </Part>
  );
}

/** A part of the settings. */
function Part({ heading, lead, children }: { heading: string; lead?: string; children: ReactNode }): ReactNode {
  return (
    <Section heading={heading} {...(lead === undefined ? {} : { lead })} className="border-t border-rule pt-6">
      <div className="flex flex-col gap-5">{children}</div>
    </Section>
  );
}

// What somebody has changed and not saved yet. Pure.

type Week = NonNullable<StudyProfileChange["easyDays"]>;
type Wish = "more" | "neutral" | "never";
export const EASY = 0.2;

/** What is sent: only what differs from what is known. */
export function changesOf(profile: StudyProfile, draft: StudyProfileChange): StudyProfileChange {
  const known: Record<string, unknown> = { ...profile, exams: Object.fromEntries(profile.courses.map(({ name, exam }) => [name, exam])) };
  const entries = Object.entries(draft).filter(([name, value]) => value !== null && !isSame(name, known[name], value));
  return Object.fromEntries(entries);
}

function isSame(name: string, known: unknown, value: unknown): boolean {
  if (name !== "exams") return JSON.stringify(known) === JSON.stringify(value);
  const before = known as Record<string, string | null>;
  return Object.entries(value as Record<string, string | null>).every(([course, day]) => (before[course] ?? null) === day);
}

/** The profile as it would be with the changes. */
export function withDraft(profile: StudyProfile, draft: StudyProfileChange): StudyProfile {
  const { exams, ...others } = draft;
  const said = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  return {
    ...profile,
    ...said,
    courses: profile.courses.map((course) => ({
      ...course,
      exam: exams?.[course.name] === undefined ? course.exam : (exams[course.name] ?? null),
    })),
  };
}

export function wishFor(profile: StudyProfile, modality: Modality): Wish {
  if (profile.preferred.includes(modality)) return "more";
  return profile.avoided.includes(modality) ? "never" : "neutral";
}

/** Both lists after a wish: a kind is never in two of them. */
export function withWish(profile: StudyProfile, modality: Modality, wish: Wish): Pick<StudyProfileChange, "preferred" | "avoided"> {
  const without = (list: readonly Modality[]): Modality[] => list.filter((each) => each !== modality);
  return {
    preferred: wish === "more" ? [...without(profile.preferred), modality] : without(profile.preferred),
    avoided: wish === "never" ? [...without(profile.avoided), modality] : without(profile.avoided),
  };
}

/** The week with one day easy, or ordinary again. */
export function withDay(shares: readonly number[], weekday: number, isEasy: boolean): Week {
  return shares.map((share, place) => (place === weekday ? (isEasy ? EASY : 1) : share)) as Week;
}

// What a share to remember costs. Pure.

/** How quickly memories fade, as the scheduler takes it unless it was fitted to somebody. */
const DECAY = -0.1542;
const USUAL = 0.9;
const LOWEST = 0.7;
const HIGHEST = 0.99;

/** How long something waits until it is remembered with this likelihood; 1 is the time at 90%. */
export function waitAt(share: number): number {
  return (share ** (1 / DECAY) - 1) / (USUAL ** (1 / DECAY) - 1);
}

/** How often reviews come, compared with 90%. */
export function timesAt(share: number): number {
  return 1 / waitAt(share);
}
