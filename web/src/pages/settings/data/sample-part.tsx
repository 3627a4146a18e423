/** The sample of each door: what is there, what became the person's own, adding and removing it. */

import { type ReactNode, useState } from "react";

import { useRestart, useSample, useSampleChange } from "../../../api/settings-hooks";
import { settingsStrings } from "../../../strings-settings";
import { settingsDataStrings } from "../../../strings-settings-data";
import { notify, notifyError } from "../../../toasts/toasts";
import { Answered } from "../../../ui/answered";
import { Badge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { Section } from "../../../ui/section";
import { SkeletonRows } from "../../../ui/skeleton";
import type { SettingsSample, SettingsSeen } from "../../../wire/generated";

const text = settingsDataStrings.sample;

export function SamplePart({ seen }: { seen: SettingsSeen }): ReactNode {
  const sample = useSample();
  return (
    <Section heading={text.heading} lead={text.lead} className="">
      <Answered query={sample} words={text} skeleton={<SkeletonRows />}>
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
  const project = sample.projectInUse ? text.coachInUse : sample.projectThere ? text.coachThere : text.coachNone;
  const changed = sample.projectChanged.length;
  return (
    <ul className="grid gap-3 lg:grid-cols-3">
      <Part title={text.plan} isThere={sample.files.length > 0}>
        <p>{planWords(sample)}</p>
        {sample.changed.length > 0 && <p>{text.planChanged(sample.changed.length)}</p>}
      </Part>
      <Part title={text.study} isThere>
        <p>{sample.courses.map(({ title }) => title).join(", ")}.</p>
        <p>{text.studyAbout}</p>
      </Part>
      <Part title={text.coach} isThere={sample.projectThere}>
        <p>{project}</p>
        {changed > 0 && <p>{text.coachChanged(changed)}</p>}
      </Part>
    </ul>
  );
}

function planWords({ mixed, files, allFiles }: SettingsSample): string {
  if (mixed) return text.planMixed;
  return files.length === 0 ? text.planNone : text.planFiles(files.length, allFiles);
}

function Part({ title, isThere, children }: { title: string; isThere: boolean; children: ReactNode }): ReactNode {
  return (
    <Card as="li" className="flex flex-col gap-1">
      <h3 className="text-lg">{title}</h3>
      <div className="flex-1 text-base text-ink-soft">{children}</div>
      {isThere && (
        <Badge tone="soft" className="mt-2 self-start">
          {text.badge}
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
                notify(text.added);
              },
              onError: (error) => {
                notifyError(text.failed, error);
              },
            });
          }}
        >
          {add.isPending ? text.adding : text.add}
        </Button>
      )}
      {canRestart && sample.projectThere && (
        <Button look="quiet" disabled={restart.isPending} onClick={run(sample.projectInUse ? "own" : "sample")}>
          {restart.isPending ? settingsStrings.waiting.restarting : sample.projectInUse ? text.leave : text.use}
        </Button>
      )}
      {isSomething && !sample.projectInUse && (
        <Button
          look="quiet"
          onClick={() => {
            setRemoving(true);
          }}
        >
          {text.remove}
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
      title={text.removeTitle}
      description={text.removeText}
      confirm={text.removeConfirm}
      cancel={text.removeCancel}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => {
        remove.mutate(undefined, {
          onSuccess: () => {
            notify(text.removed);
            onClose();
          },
        });
      }}
      onCancel={onClose}
    >
      {changed > 0 && <p className="font-semibold">{text.removeLost(changed)}</p>}
    </ConfirmDialog>
  );
}
