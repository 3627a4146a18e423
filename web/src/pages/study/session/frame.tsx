/** What stands on the sheet: what it is about, what was said before, the thing itself. */

import "../study.css";

import { CircleCheck, CircleDashed, CircleX, Info, Lightbulb, type LucideIcon, RotateCcw } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

import { FormError } from "../../../ui/forms/field";
import { Markdown } from "../../../ui/markdown";
import { Marked } from "../../../ui/marked";
import type { StudyStep } from "../../../wire/generated";
import { studyStrings } from "../strings";
import { isHowToContinue, type Tone, withoutRepeats } from "./flow";
import { sessionStrings as text } from "./strings";
import type { Exchange, Player } from "./use-session";

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

// What Paige says about an answer, line by line.

export const TONES: Record<Tone, { icon: LucideIcon; color: string; edge: string }> = {
  right: { icon: CircleCheck, color: "text-ok", edge: "border-l-ok" },
  nearly: { icon: CircleDashed, color: "text-warn", edge: "border-l-warn" },
  wrong: { icon: CircleX, color: "text-fail", edge: "border-l-fail" },
  neutral: { icon: Info, color: "text-ink-soft", edge: "border-l-edge" },
};

interface SaidProps {
  says: readonly string[];
  /** For what tests say: no markdown, lines as they are. */
  isPlain?: boolean;
  className?: string;
}

export function Said({ says, isPlain = false, className = "" }: SaidProps): ReactNode {
  return (
    <div className={`flex max-w-prose flex-col gap-2 ${className}`}>
      {says.map((line, place) =>
        isPlain ? (
          <Marked key={place} text={line} className="block whitespace-pre-wrap" />
        ) : (
          <StudyText key={place} text={capitalised(line)} deeper={3} />
        ),
      )}
    </div>
  );
}

/** A remark that was written as part of a sentence stands alone here. */
function capitalised(line: string): string {
  return /^[a-z]{2,} /.test(line) ? `${line.charAt(0).toUpperCase()}${line.slice(1)}` : line;
}

/** The tries at one question: what somebody answered, and what was said to it. */
export function Talk({ talk, isPlain = false }: { talk: readonly Exchange[]; isPlain?: boolean }): ReactNode {
  if (talk.length === 0) return null;
  return (
    <ol className="mt-5 flex flex-col gap-3">
      {talk.map(({ mine, says }, place) => (
        <li key={place} className="flex flex-col gap-2">
          {mine !== "" && (
            <p className="ml-auto max-w-[85%] rounded-2xl rounded-br-sm bg-cover px-4 py-2 whitespace-pre-wrap">
              <span className="sr-only">{text.you}: </span>
              {mine}
            </p>
          )}
          <div className="study-arrive mr-auto max-w-[95%] rounded-2xl rounded-bl-sm border border-line bg-paper px-4 py-2">
            <span className="sr-only">{text.paige}: </span>
            <Said says={withoutRepeats(says).filter((line) => !isHowToContinue(line))} isPlain={isPlain} />
          </div>
        </li>
      ))}
    </ol>
  );
}

interface StudyTextProps {
  text: string;
  className?: string;
  deeper?: number;
}

/** Texts of lessons, questions and feedback: markdown, read into parts and never into HTML. */
export function StudyText({ text, className = "", deeper = 2 }: StudyTextProps): ReactNode {
  return <Markdown text={text} deeper={deeper} className={className} />;
}

/** The sheet of paper that the one thing on screen stands on. */
export function Sheet(props: Omit<ComponentProps<"section">, "className">): ReactNode {
  return <section {...props} className="study-arrive rounded-2xl border border-line bg-card px-5 py-6 shadow-xs sm:px-8 sm:py-8" />;
}
