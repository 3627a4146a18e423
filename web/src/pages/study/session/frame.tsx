/** What stands on the sheet: what it is about, what was said before, the thing itself. */

import { Lightbulb, RotateCcw } from "lucide-react";
import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import { sessionStrings as text } from "../../../strings-study-session";
import { FormError } from "../../../ui/form-error";
import type { StudyStep } from "../../../wire/generated";
import { Said } from "./said";
import { Sheet } from "./sheet";
import type { Player } from "./use-session";

interface FrameProps {
  player: Player;
  label?: string;
  children: ReactNode;
}

export function Frame({ player, label, children }: FrameProps): ReactNode {
  const { step, error, loose, isBack } = player;
  return (
    <>
      {isBack && (
        <p className="mb-3 flex items-center gap-2 text-ink-soft">
          <RotateCcw aria-hidden className="size-4" />
          {text.welcomeBack}
        </p>
      )}
      {loose.length > 0 && (
        <section aria-label={text.earlier} className="mb-4 rounded-xl border border-line bg-card/60 px-5 py-4">
          <p className="mb-1 text-base font-semibold text-ink-soft">{text.earlier}</p>
          <Said says={loose} />
        </section>
      )}
      <Sheet aria-label={step.item?.title}>
        <p className="mb-3 flex flex-wrap gap-x-2 text-base font-semibold text-door-ink">{about(step, label).join(" · ")}</p>
        {children}
        {error !== null && (
          <div className="mt-4">
            <FormError id="study-error" error={error} />
          </div>
        )}
      </Sheet>
      {step.advice !== null && (
        <p className="mt-4 flex gap-2 rounded-xl border border-line bg-card px-5 py-4">
          <Lightbulb aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
          <span>
            <span className="sr-only">{text.advice}: </span>
            {step.advice}
          </span>
        </p>
      )}
    </>
  );
}

/** What kind of thing this is, in a few words. */
function about({ item, exercise }: StudyStep, label: string | undefined): string[] {
  const parts: string[] = [];
  if (item !== null) parts.push(item.opening ? text.opening : text.types[item.type], item.title);
  if (label !== undefined) parts.push(label);
  if (exercise !== null && label === undefined) {
    parts.push(studyStrings.modalities[exercise.modality]);
    if (exercise.asking !== null && exercise.count > 1) parts.push(text.question(exercise.number, exercise.count));
  }
  return parts;
}
