/** Help with an exercise, rung by rung, and other ways to go on. */

import { ChevronDown, Eye, Lightbulb } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import { sessionStrings } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import type { StudyExercise } from "../../../wire/generated";
import { useKeys } from "./keys";
import type { Player } from "./use-session";

const text = sessionStrings.help;
/** Work on these is handed in whole: the work itself is the try. */
const WHOLE = ["worksheet", "long_form", "image_review"];

export function HelpBar({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { act, isBusy, step } = player;
  const isHelped = step.expects !== "self_check" && exercise.modality !== "flashcard";
  const mayAsk = WHOLE.includes(exercise.modality) || exercise.attempts > 0;
  const hint = isHelped && mayAsk && exercise.modality !== "worksheet" ? () => { act({ act: "hint" }); } : undefined;
  useKeys({ h: hint });
  return (
    <div className="mt-8 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-2">
        {hint !== undefined && (
          <Button look="quiet" aria-keyshortcuts="H" aria-disabled={isBusy} onClick={hint}>
            <Lightbulb aria-hidden className="size-4" />
            {text.hint}
          </Button>
        )}
        {isHelped && mayAsk && exercise.modality !== "worksheet" && (
          <Button
            look="quiet"
            aria-disabled={isBusy}
            onClick={() => {
              act({ act: "give_up" });
            }}
          >
            <Eye aria-hidden className="size-4" />
            {text.giveUp}
          </Button>
        )}
        <More player={player} exercise={exercise} />
        {isHelped && exercise.howToContinue !== null && <p className="text-base text-ink-soft">{exercise.howToContinue}</p>}
      </div>
      {exercise.offer !== null && exercise.instead.includes(exercise.offer) && (
        <Offer player={player} modality={exercise.offer} />
      )}
      {exercise.why.length > 0 && (
        <details className="mt-3 text-base text-ink-soft">
          <summary className="w-fit cursor-pointer rounded font-semibold">{text.why}</summary>
          <ul className="mt-1 list-disc pl-5">
            {exercise.why.map((line) => (
              <li key={line}>{line}.</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Offer({ player, modality }: { player: Player; modality: StudyExercise["modality"] }): ReactNode {
  return (
    <p className="mt-3 flex flex-wrap items-center gap-2">
      {text.offer(studyStrings.modalities[modality])}
      <Button
        look="quiet"
        onClick={() => {
          player.act({ act: "instead", modality });
        }}
      >
        {text.offerTake}
      </Button>
    </p>
  );
}

const MENU_ITEM =
  "flex min-h-11 cursor-default items-center rounded-md px-3 outline-none data-highlighted:bg-accent data-highlighted:text-on-accent";

function More({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { act } = player;
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button look="quiet">
          {text.more}
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          aria-label={text.moreMenu}
          className="z-30 min-w-60 rounded-lg border border-line bg-card p-1.5 shadow-xl"
        >
          {exercise.instead.map((modality) => (
            <DropdownMenu.Item
              key={modality}
              className={MENU_ITEM}
              onSelect={() => {
                act({ act: "instead", modality });
              }}
            >
              {text.as(studyStrings.modalities[modality])}
            </DropdownMenu.Item>
          ))}
          {exercise.instead.length > 0 && <DropdownMenu.Separator className="my-1.5 h-px bg-line" />}
          <DropdownMenu.Item
            className={MENU_ITEM}
            onSelect={() => {
              act({ act: "skip" });
            }}
          >
            {text.skip}
          </DropdownMenu.Item>
          <DropdownMenu.Item
            className={MENU_ITEM}
            onSelect={() => {
              act({ act: "stop" });
            }}
          >
            {text.stop}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
