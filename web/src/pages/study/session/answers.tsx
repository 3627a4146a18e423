/** An answer in words: Enter hands it in. */

import { ImageUp, RotateCw, SendHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { DropZone } from "../../../ui/forms/drop-zone";
import { sendOnEnter } from "../../../ui/forms/enter";
import { FormError } from "../../../ui/forms/field";
import { Marked } from "../../../ui/marked";
import type { StudyExercise } from "../../../wire/generated";
import { uploadAddress } from "../api";
import { type Asked, letterOf, subjectOf, withoutErrands } from "./flow";
import { StudyText, Talk } from "./frame";
import { sessionStrings as text, sessionStrings } from "./strings";
import { type Player, useDraft, useKeys } from "./use-session";

interface AnswerTextProps {
  player: Player;
  label?: string;
  submit?: string;
  hint?: string;
  /** For code: letters of one width, no spelling. */
  isCode?: boolean;
}

export function AnswerText({ player, label = text.answer, submit = text.send, hint = text.sendHint, isCode = false }: AnswerTextProps): ReactNode {
  const { act, isBusy, talk } = player;
  const [words, setWords] = useDraft(subjectOf(player.step));
  const [isMissing, setIsMissing] = useState(false);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // The field is where the next answer goes, at first and after every reply.
  useEffect(() => {
    field.current?.focus({ preventScroll: talk.length === 0 });
  }, [talk.length]);
  const send = (): void => {
    if (isBusy) return;
    if (words.trim() === "") {
      setIsMissing(true);
      return;
    }
    act({ act: "answer", text: words.trim() });
  };
  return (
    <form
      className="mt-6"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="mt-1.5 flex items-end gap-2 max-sm:flex-col max-sm:items-stretch">
        <textarea
          ref={field}
          id={id}
          rows={isCode ? 2 : 1}
          value={words}
          readOnly={isBusy}
          aria-describedby={`${id}-hint`}
          aria-invalid={isMissing}
          spellCheck={!isCode}
          autoCapitalize={isCode ? "off" : undefined}
          autoComplete="off"
          onChange={(event) => {
            setWords(event.target.value);
            setIsMissing(false);
          }}
          onKeyDown={(event) => {
          sendOnEnter(event, send);
        }}
          className={`block field-sizing-content max-h-72 min-h-12 flex-1 resize-none rounded-lg border border-edge bg-paper px-4 py-2.5 text-lg ${isCode ? "font-mono text-base" : ""}`}
        />
        <Button type="submit" className="min-h-12 px-5" aria-disabled={isBusy}>
          <SendHorizontal aria-hidden className="size-4" />
          {isBusy ? text.working : submit}
        </Button>
      </div>
      <p id={`${id}-hint`} className="mt-1.5 text-base text-ink-soft">
        {isMissing ? <span className="font-semibold text-fail">{text.empty}</span> : hint}
      </p>
    </form>
  );
}

/** One of several answers: big buttons with letters, which are keys too. */
export function AnswerChoice({ player, choices }: { player: Player; choices: readonly string[] }): ReactNode {
  const { act, isBusy, talk } = player;
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    group.current?.focus({ preventScroll: true });
  }, []);
  const choose = (letter: string) => () => {
    if (!isBusy) act({ act: "answer", text: letter });
  };
  useKeys(Object.fromEntries(choices.map((_, place) => [letterOf(place).toLowerCase(), choose(letterOf(place))])));
  const tried = talk.map(({ mine }) => mine);
  return (
    <div ref={group} role="group" aria-label={text.choose} tabIndex={-1} className="mt-6 grid gap-2 outline-none">
      {choices.map((choice, place) => {
        const letter = letterOf(place);
        return (
          <button
            key={letter}
            type="button"
            aria-keyshortcuts={letter}
            aria-disabled={isBusy}
            onClick={choose(letter)}
            className={`flex min-h-13 items-center gap-4 rounded-lg border-2 bg-card px-4 py-2.5 text-left text-lg transition-colors hover:border-accent hover:bg-paper ${tried.includes(letter) ? "border-line text-ink-soft line-through" : "border-edge/60"}`}
          >
            <kbd className="grid size-8 shrink-0 place-items-center rounded-full bg-cover font-sans text-base font-semibold text-door-ink">{letter}</kbd>
            <Marked text={choice} />
          </button>
        );
      })}
    </div>
  );
}

/** A card: say or type what is on its back, turn it over, say how it was. */
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

const LOOKS = {
  1: "border-fail/60 hover:border-fail",
  2: "border-warn/60 hover:border-warn",
  3: "border-ok/60 hover:border-ok",
  4: "border-accent/60 hover:border-accent",
};

type Rating = keyof typeof LOOKS;

interface RateProps {
  label: string;
  isBusy: boolean;
  onRate: (rating: Rating) => void;
  names?: readonly string[];
  /** Whether the focus goes there at once, as after a card was turned. */
  isNext?: boolean;
}

/** Four buttons to say how well one knew something, by pointer or by the keys 1 to 4. */
export function Rate({ label, isBusy, onRate, names, isNext = false }: RateProps): ReactNode {
  const rate = (rating: Rating) => () => {
    if (!isBusy) onRate(rating);
  };
  useKeys({ "1": rate(1), "2": rate(2), "3": rate(3), "4": rate(4) });
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNext) group.current?.focus({ preventScroll: true });
  }, [isNext]);
  return (
    <div ref={group} role="group" aria-label={label} tabIndex={-1} className="mt-6 outline-none">
      <p className="font-semibold">{label}</p>
      <div className="mt-2 grid grid-cols-2 gap-2 sm:grid-cols-4">
        {text.ratings.map(({ rating, name, hint }, place) => (
          <button
            key={rating}
            type="button"
            aria-keyshortcuts={String(rating)}
            aria-disabled={isBusy}
            onClick={rate(rating)}
            className={`flex min-h-16 flex-col items-center justify-center rounded-lg border-2 bg-card px-2 py-2 text-center transition-colors hover:bg-paper ${LOOKS[rating]}`}
          >
            <span className="font-semibold">
              <kbd className="mr-1.5 font-sans text-base font-normal text-ink-soft">{rating}</kbd>
              {names?.[place] ?? name}
            </span>
            {names === undefined && <span className="text-base text-ink-soft">{hint}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}

const photoText = sessionStrings.photo;

/** Work done by hand: a photo to upload and look at, and what one says of it oneself. */
export function AnswerPhoto({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { act, isBusy } = player;
  const photo = usePhoto(player);
  const latest = exercise.uploads.at(-1);
  return (
    <div>
      <StudyText text={withoutErrands(exercise.body)} className="max-w-prose text-lg" />
      {exercise.optional && <p className="mt-3 text-ink-soft">{photoText.optional}</p>}
      <PhotoZone photo={photo} shown={photo.preview ?? (latest === undefined ? null : uploadAddress(player.step.course, latest.path))} />
      {photo.error !== null && <FormError id="study-photo-error" error={photo.error} />}
      <p role="status" className="mt-2 text-ink-soft">
        {photo.isUploading ? photoText.uploading : latest !== undefined && photoText.uploaded(latest.name)}
      </p>
      {latest !== undefined && (
        <Button
          className="mt-3 min-h-12 px-6 text-lg"
          aria-disabled={isBusy || photo.isUploading}
          onClick={() => {
            if (!photo.isUploading) act({ act: "answer", path: latest.path });
          }}
        >
          {isBusy ? sessionStrings.judging : photoText.handIn}
        </Button>
      )}
      <Talk talk={player.talk} />
      <Rate
        label={photoText.self}
        names={photoText.ratings}
        isBusy={isBusy}
        onRate={(rating) => {
          act({ act: "answer", rating });
        }}
      />
      <Button
        look="quiet"
        className="mt-4"
        aria-disabled={isBusy}
        onClick={() => {
          act({ act: "skip" });
        }}
      >
        {photoText.leaveOut}
      </Button>
    </div>
  );
}

interface Photo {
  preview: string | null;
  isUploading: boolean;
  error: Error | null;
  take: (file: File | undefined) => void;
}

function usePhoto({ upload }: Player): Photo {
  const [preview, setPreview] = useState<string | null>(null);
  const [isUploading, setIsUploading] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  useEffect(
    () => () => {
      if (preview !== null) URL.revokeObjectURL(preview);
    },
    [preview],
  );
  return {
    preview,
    isUploading,
    error,
    take: (file) => {
      if (file === undefined || isUploading) return;
      setPreview(URL.createObjectURL(file));
      setIsUploading(true);
      setError(null);
      upload(file.name, file)
        .catch((reason: unknown) => {
          setPreview(null);
          setError(reason instanceof Error ? reason : new Error(String(reason)));
        })
        .finally(() => {
          setIsUploading(false);
        });
    },
  };
}

function PhotoZone({ photo, shown }: { photo: Photo; shown: string | null }): ReactNode {
  return (
    <DropZone
      accept="image/*"
      label={photoText.choose}
      look={shown === null ? "primary" : "quiet"}
      button={
        <>
          <ImageUp aria-hidden className="size-5" />
          {shown === null ? photoText.choose : photoText.another}
        </>
      }
      onFile={photo.take}
      className="mt-5 max-w-xl"
      below={<p className="text-base text-ink-soft">{photoText.drop}</p>}
    >
      {shown !== null && <img src={shown} alt={photoText.preview} className="max-h-80 rounded-lg border border-line" />}
    </DropZone>
  );
}
