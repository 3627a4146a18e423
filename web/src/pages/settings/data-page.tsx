/** What Paige keeps on this machine, the sample, the tour and the language. */

import { useQuery } from "@tanstack/react-query";
import { Footprints } from "lucide-react";
import { type ReactNode, useState } from "react";

import { chooseLanguage, OFFERED } from "../../locale/languages";
import { keepChoice, readChoice } from "../../locale/open";
import { locale, words } from "../../locale/words";
import { useServices } from "../../services";
import { useTour } from "../../shell/tour";
import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { type Column, DataTable } from "../../ui/data/data-table";
import { Badge, Card } from "../../ui/data/facts";
import { ConfirmDialog } from "../../ui/dialog";
import { Choice } from "../../ui/forms/choice";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import type { KeptFile, SettingsSample, SettingsSeen } from "../../wire/generated";
import { SETTINGS_KEY, useRestart, useSample, useSampleChange } from "./hooks";
import { SettingsFrame } from "./settings-frame";
import { settingsStrings } from "./strings";

/** The words of what Paige keeps, of the sample, and of how the app looks. */
export const settingsDataStrings = words("settingsData", {
  data: {
    heading: "What Paige keeps",
    lead: "Files on this machine that you can read, copy and delete.",
    columns: { what: "What", place: "Where", size: "Size" },
    names: {
      data: "Data folder",
      database: "Database",
      workspace: "Workspace of Plan",
      memory: "Memory log",
      teaching: "Learner files of Study",
      settings: "Your settings file",
      project: "Project of Coach",
      sample: "Sample project",
    } satisfies Record<KeptFile["what"], string>,
    none: "Not there yet",
    elsewhere: "Yours",
    bytes: (bytes: number) => {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
      const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
      const value = bytes / 1000 ** step;
      const digits = step === 0 || value >= 100 ? 0 : 1;
      const unit = units[step];
      return value.toLocaleString(locale(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits });
    },
    files: (count: number) => (count === 1 ? "1 file" : `${count.toLocaleString(locale())} files`),
    more: (size: string) => `more than ${size}`,
    free: (size: string) => `${size} free on this disk`,
    loading: "Counting files…",
    failed: "The files could not be counted",
  },

  sample: {
    heading: "Sample",
    lead: "Something to look around in. What you change becomes yours and is never taken away with the sample.",
    badge: "Sample",
    loading: "Looking for the sample…",
    failed: "The sample could not be looked at",
    plan: "Plan: classes and curricula",
    planFiles: (count: number, all: number) => `${count} of ${all} sample files are there as they came.`,
    planNone: "None of its files is there now.",
    planChanged: (count: number) => (count === 1 ? "1 is yours now: you changed it." : `${count} are yours now: you changed them.`),
    planMixed: "Your workspace has files of your own. The sample is not mixed into it.",
    study: "Study: courses",
    studyAbout: "They come with Paige and are always there. What you learn in them is yours.",
    coach: "Coach: a small project with open issues",
    coachInUse: "Paige runs with it now.",
    coachThere: "A copy is there; Paige runs with your own project.",
    coachNone: "There is no copy.",
    coachChanged: (count: number) => (count === 1 ? "You changed 1 file in it." : `You changed ${count} files in it.`),
    add: "Add the sample",
    adding: "Adding…",
    use: "Run with the sample project",
    leave: "Run with my own project",
    remove: "Remove the sample…",
    removeTitle: "Remove the sample?",
    removeText: "Sample files that you did not change are deleted, and the copy of the sample project. Your own files stay.",
    removeLost: (count: number) => (count === 1 ? "1 file you changed in the sample project is deleted, too." : `${count} files you changed in the sample project are deleted, too.`),
    removeConfirm: "Remove",
    removeCancel: "Keep it",
    added: "The sample is there",
    removed: "The sample is gone",
  },

  look: {
    heading: "Tour and language",
    tour: "Start the tour",
    tourAbout: "Five steps through the doors. It can be left at any time.",
  },
});

/** The texts of the choice of a language. */
export const languageStrings = words("language", {
  label: "Language",
  hint: "Changing it loads the page again. What people and models write stays in the language it was written in.",
  browser: (name: string) => `As the browser asks: ${name}`,
});

const text = settingsDataStrings;

export default function DataPage(): ReactNode {
  return (
    <SettingsFrame>
      {(seen) => (
        <>
          <Kept />
          <SamplePart seen={seen} />
          <Look />
        </>
      )}
    </SettingsFrame>
  );
}

function Kept(): ReactNode {
  const { api } = useServices();
  const data = useQuery({ queryKey: [...SETTINGS_KEY, "data"], queryFn: () => api.settings.data() });
  return (
    <Section heading={text.data.heading} lead={text.data.lead} className="">
      <Answered query={data} words={text.data} skeleton={<SkeletonRows />}>
        {({ kept, free }) => (
          <>
            <DataTable caption={text.data.heading} columns={COLUMNS} rows={kept} rowKey={({ what }) => what} narrow="stack" />
            <p className="mt-2 text-base text-ink-soft">{text.data.free(text.data.bytes(free))}</p>
          </>
        )}
      </Answered>
    </Section>
  );
}

const COLUMNS: Column<KeptFile>[] = [
  { key: "what", name: text.data.columns.what, cell: ({ what }) => <span className="font-semibold">{text.data.names[what]}</span> },
  {
    key: "place",
    name: text.data.columns.place,
    cell: ({ path }) => <code className="text-[0.9em] [overflow-wrap:anywhere]">{path}</code>,
  },
  { key: "size", name: text.data.columns.size, align: "end", cell: sizeOf },
];

function sizeOf({ what, there, files, size, counted }: KeptFile): string {
  if (!there) return text.data.none;
  if (what === "project") return text.data.elsewhere;
  const bytes = text.data.bytes(size);
  const whole = counted ? bytes : text.data.more(bytes);
  return files > 1 && what !== "database" ? `${whole} · ${text.data.files(files)}` : whole;
}

function Look(): ReactNode {
  const start = useTour((tour) => tour.start);
  return (
    <Section heading={text.look.heading} className="">
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <div>
          <Button look="quiet" onClick={start}>
            <Footprints aria-hidden className="size-4.5" />
            {text.look.tour}
          </Button>
          <p className="mt-1 text-base text-ink-soft">{text.look.tourAbout}</p>
        </div>
        <LanguageChoice />
      </div>
    </Section>
  );
}

const sampleText = settingsDataStrings.sample;

/** The sample of each door: what is there, what became the person's own, adding and removing it. */
function SamplePart({ seen }: { seen: SettingsSeen }): ReactNode {
  const sample = useSample();
  return (
    <Section heading={sampleText.heading} lead={sampleText.lead} className="">
      <Answered query={sample} words={sampleText} skeleton={<SkeletonRows />}>
        {(found) => (
          <>
            <Parts sample={found} />
            <fieldset disabled={!seen.mayChange} className="mt-4 flex flex-wrap gap-2">
              <Actions sample={found} canRestart={seen.canRestart} />
            </fieldset>
          </>
        )}
      </Answered>
    </Section>
  );
}

function Parts({ sample }: { sample: SettingsSample }): ReactNode {
  const project = sample.projectInUse ? sampleText.coachInUse : sample.projectThere ? sampleText.coachThere : sampleText.coachNone;
  const changed = sample.projectChanged.length;
  return (
    <ul className="grid gap-3 lg:grid-cols-3">
      <Part title={sampleText.plan} isThere={sample.files.length > 0}>
        <p>{planWords(sample)}</p>
        {sample.changed.length > 0 && <p>{sampleText.planChanged(sample.changed.length)}</p>}
      </Part>
      <Part title={sampleText.study} isThere>
        <p>{sample.courses.map(({ title }) => title).join(", ")}.</p>
        <p>{sampleText.studyAbout}</p>
      </Part>
      <Part title={sampleText.coach} isThere={sample.projectThere}>
        <p>{project}</p>
        {changed > 0 && <p>{sampleText.coachChanged(changed)}</p>}
      </Part>
    </ul>
  );
}

function planWords({ mixed, files, allFiles }: SettingsSample): string {
  if (mixed) return sampleText.planMixed;
  return files.length === 0 ? sampleText.planNone : sampleText.planFiles(files.length, allFiles);
}

function Part({ title, isThere, children }: { title: string; isThere: boolean; children: ReactNode }): ReactNode {
  return (
    <Card as="li" className="flex flex-col gap-1">
      <h3 className="text-lg">{title}</h3>
      <div className="flex-1 text-base text-ink-soft">{children}</div>
      {isThere && (
        <Badge tone="soft" className="mt-2 self-start">
          {sampleText.badge}
        </Badge>
      )}
    </Card>
  );
}

function Actions({ sample, canRestart }: { sample: SettingsSample; canRestart: boolean }): ReactNode {
  const [isRemoving, setRemoving] = useState(false);
  const add = useSampleChange("add");
  const restart = useRestart();
  const isWhole = sample.projectThere && (sample.mixed || sample.files.length + sample.changed.length === sample.allFiles);
  const isSomething = sample.projectThere || (sample.files.length > 0 && !sample.mixed);
  const run = (project: "sample" | "own") => (): void => {
    restart.mutate(project, {
      onSuccess: () => {
        notify(settingsStrings.waiting.done);
      },
      onError: (error) => {
        notifyError(settingsStrings.waiting.failed, error);
      },
    });
  };
  return (
    <>
      {!isWhole && (
        <Button
          look="quiet"
          disabled={add.isPending}
          onClick={() => {
            add.mutate(undefined, {
              onSuccess: () => {
                notify(sampleText.added);
              },
              onError: (error) => {
                notifyError(sampleText.failed, error);
              },
            });
          }}
        >
          {add.isPending ? sampleText.adding : sampleText.add}
        </Button>
      )}
      {canRestart && sample.projectThere && (
        <Button look="quiet" disabled={restart.isPending} onClick={run(sample.projectInUse ? "own" : "sample")}>
          {restart.isPending ? settingsStrings.waiting.restarting : sample.projectInUse ? sampleText.leave : sampleText.use}
        </Button>
      )}
      {isSomething && !sample.projectInUse && (
        <Button
          look="quiet"
          onClick={() => {
            setRemoving(true);
          }}
        >
          {sampleText.remove}
        </Button>
      )}
      {isRemoving && (
        <RemoveSample
          changed={sample.projectChanged.length}
          onClose={() => {
            setRemoving(false);
          }}
        />
      )}
    </>
  );
}

function RemoveSample({ changed, onClose }: { changed: number; onClose: () => void }): ReactNode {
  const remove = useSampleChange("remove");
  return (
    <ConfirmDialog
      title={sampleText.removeTitle}
      description={sampleText.removeText}
      confirm={sampleText.removeConfirm}
      cancel={sampleText.removeCancel}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => {
        remove.mutate(undefined, {
          onSuccess: () => {
            notify(sampleText.removed);
            onClose();
          },
        });
      }}
      onCancel={onClose}
    >
      {changed > 0 && <p className="font-semibold">{sampleText.removeLost(changed)}</p>}
    </ConfirmDialog>
  );
}

interface LanguageChoiceProps {
  /** Loads the page again; tests look whether it was called. */
  reload?: () => void;
}

/** Chooses the language of the app. It is kept by this browser, and the page is loaded again. */
export function LanguageChoice({ reload = reloadPage }: LanguageChoiceProps): ReactNode {
  const [chosen, setChosen] = useState(readChoice);
  const byBrowser = chooseLanguage({ search: "", stored: null, preferred: navigator.languages });
  return (
    <div>
      <Choice
        label={languageStrings.label}
        value={chosen}
        any={languageStrings.browser(byBrowser.name)}
        options={OFFERED.map(({ code, name }) => [code, name] as const)}
        onChoose={(code) => {
          keepChoice(code);
          setChosen(code);
          reload();
        }}
      />
      <p className="mt-1 text-base text-ink-soft">{languageStrings.hint}</p>
    </div>
  );
}

function reloadPage(): void {
  window.location.reload();
}
