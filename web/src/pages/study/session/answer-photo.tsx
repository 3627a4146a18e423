/** Work done by hand: a photo to upload and look at, and what one says of it oneself. */

import { ImageUp } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

import { uploadAddress } from "../../../api/study-api";
import { sessionStrings } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { DropZone } from "../../../ui/drop-zone";
import { FormError } from "../../../ui/form-error";
import type { StudyExercise } from "../../../wire/generated";
import { withoutErrands } from "./flow";
import { Rate } from "./rate";
import { Talk } from "./said";
import { StudyText } from "./study-text";
import type { Player } from "./use-session";

const text = sessionStrings.photo;

export function AnswerPhoto({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { act, isBusy } = player;
  const photo = usePhoto(player);
  const latest = exercise.uploads.at(-1);
  return (
    <div>
      <StudyText text={withoutErrands(exercise.body)} className="max-w-prose text-lg" />
      {exercise.optional && <p className="mt-3 text-ink-soft">{text.optional}</p>}
      <PhotoZone photo={photo} shown={photo.preview ?? (latest === undefined ? null : uploadAddress(player.step.course, latest.path))} />
      {photo.error !== null && <FormError id="study-photo-error" error={photo.error} />}
      <p role="status" className="mt-2 text-ink-soft">
        {photo.isUploading ? text.uploading : latest !== undefined && text.uploaded(latest.name)}
      </p>
      {latest !== undefined && (
        <Button
          className="mt-3 min-h-12 px-6 text-lg"
          aria-disabled={isBusy || photo.isUploading}
          onClick={() => {
            if (!photo.isUploading) act({ act: "answer", path: latest.path });
          }}
        >
          {isBusy ? sessionStrings.judging : text.handIn}
        </Button>
      )}
      <Talk talk={player.talk} />
      <Rate
        label={text.self}
        names={text.ratings}
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
        {text.leaveOut}
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
      label={text.choose}
      look={shown === null ? "primary" : "quiet"}
      button={
        <>
          <ImageUp aria-hidden className="size-5" />
          {shown === null ? text.choose : text.another}
        </>
      }
      onFile={photo.take}
      className="mt-5 max-w-xl"
      below={<p className="text-base text-ink-soft">{text.drop}</p>}
    >
      {shown !== null && <img src={shown} alt={text.preview} className="max-h-80 rounded-lg border border-line" />}
    </DropZone>
  );
}
