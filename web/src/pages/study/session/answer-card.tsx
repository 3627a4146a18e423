/** A card: say or type what is on its back, turn it over, say how it was. */

import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { useDraft } from "./drafts";
import { subjectOf } from "./flow";
import type { Asked } from "./flow";
import { useKeys } from "./keys";
import { Rate } from "./rate";
import { StudyText } from "./study-text";
import type { Player } from "./use-session";

export function AnswerCard({ player, asked }: { player: Player; asked: Asked }): ReactNode {
  const isTurned = player.step.expects === "self_check";
  return (
    <>
      <div className="mx-auto grid min-h-52 max-w-xl place-items-center rounded-2xl border-2 border-spine bg-cover/50 px-6 py-8 text-center">
        <div className="w-full">
          <p className="text-base font-semibold text-door-ink">{text.card.front}</p>
          <StudyText text={asked.question.prompt} className="mt-1 text-2xl" />
          {isTurned && (
            <div className="study-turn mt-5 border-t border-spine pt-5">
              <p className="text-base font-semibold text-door-ink">{text.card.back}</p>
              <StudyText text={asked.back} className="mt-1 text-xl" />
            </div>
          )}
        </div>
      </div>
      {isTurned ? (
        <Rate
          label={text.card.rate}
          isNext
          isBusy={player.isBusy}
          onRate={(rating) => {
            player.act({ act: "answer", rating });
          }}
        />
      ) : (
        <Recall key={asked.question.id} player={player} />
      )}
    </>
  );
}

function Recall({ player }: { player: Player }): ReactNode {
  const { act, isBusy, step } = player;
  const [words, setWords] = useDraft(subjectOf(step));
  const turn = (): void => {
    if (isBusy) return;
    act(words.trim() === "" ? { act: "answer", done: true } : { act: "answer", text: words.trim() });
  };
  useKeys({ enter: turn });
  return (
    <form
      className="mx-auto mt-6 max-w-xl"
      onSubmit={(event) => {
        event.preventDefault();
        turn();
      }}
    >
      <label htmlFor="study-recall" className="font-semibold">
        {text.card.recall}
      </label>
      <div className="mt-1.5 flex gap-2 max-sm:flex-col">
        <input
          id="study-recall"
          // The card is turned over with Enter, wherever it was typed.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          autoComplete="off"
          value={words}
          readOnly={isBusy}
          onChange={(event) => {
            setWords(event.target.value);
          }}
          className="min-h-12 flex-1 rounded-lg border border-edge bg-paper px-4 text-lg"
        />
        <Button type="submit" className="min-h-12 px-5" aria-disabled={isBusy}>
          <RotateCw aria-hidden className="size-4" />
          {words.trim() === "" ? text.card.turn : text.card.check}
        </Button>
      </div>
    </form>
  );
}
