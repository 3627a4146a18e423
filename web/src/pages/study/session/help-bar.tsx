/** Help with an exercise, rung by rung, and other ways to go on. */

import { Eye, Lightbulb } from "lucide-react";
import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import { sessionStrings } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { Menu, MenuItem, MenuLine } from "../../../ui/menu";
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
    <div data-unprinted className="mt-8 border-t border-line pt-4">
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

function More({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { act } = player;
  return (
    <Menu label={text.moreMenu} button={text.more}>
      {exercise.instead.map((modality) => (
        <MenuItem
          key={modality}
          onSelect={() => {
            act({ act: "instead", modality });
          }}
        >
          {text.as(studyStrings.modalities[modality])}
        </MenuItem>
      ))}
      {exercise.instead.length > 0 && <MenuLine />}
      <MenuItem
        onSelect={() => {
          act({ act: "skip" });
        }}
      >
        {text.skip}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          act({ act: "stop" });
        }}
      >
        {text.stop}
      </MenuItem>
    </Menu>
  );
}
