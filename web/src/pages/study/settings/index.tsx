/** The settings of Study: how long, how much to remember, which days, which exams, which kinds of exercise. */

import { clsx } from "clsx";
import { type ReactNode, useState } from "react";

import { useProfile, useSaveProfile } from "../../../api/study-cache";
import { studyStrings } from "../../../strings-study";
import { settingsStrings } from "../../../strings-study-progress";
import { notify } from "../../../toasts/toasts";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { SaveButtons } from "../../../ui/save-buttons";
import { Skeleton } from "../../../ui/skeleton";
import type { StudyProfile, StudyProfileChange } from "../../../wire/generated";
import { Problems } from "../problems";
import { StudyFrame } from "../study-frame";
import { changesOf, withDraft } from "./draft";
import { ClassPart } from "./class-part";
import { ExamsPart } from "./exams-part";
import { KindsPart } from "./kinds-part";
import { RetentionPart } from "./retention-part";
import { SessionsPart } from "./sessions-part";
import { WeekPart } from "./week-part";

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
