/** Listening and speaking: hear the prompt, say or type the answer, or compare for oneself. */

import { Mic, Play, Square } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/forms/form-error";
import type { StudyExercise, StudyQuestion } from "../../../wire/generated";
import { audioAddress } from "../api";
import { AnswerText } from "./answers";
import { useKeys } from "./keys";
import { sessionStrings } from "./strings";
import type { Player } from "./use-session";

const text = sessionStrings.voice;

interface VoiceProps {
  player: Player;
  exercise: StudyExercise;
  question: StudyQuestion | null;
}

export function AnswerVoice({ player, question }: VoiceProps): ReactNode {
  const { step } = player;
  const isHeard = question?.audio != null;
  return (
    <div className="mt-5">
      {isHeard && (
        <figure>
          <figcaption className="font-semibold">{text.listen}</figcaption>
          {/* Words under it would be the answer. */}
          {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
          <audio controls preload="auto" src={audioAddress(step.course, question.id)} className="mt-2 w-full max-w-md" />
          <p className="mt-1 text-base text-ink-soft">{text.again}</p>
        </figure>
      )}
      {step.expects === "voice" && <Speak player={player} />}
      <AnswerText player={player} label={isHeard ? text.heard : text.type} />
    </div>
  );
}

function Speak({ player }: { player: Player }): ReactNode {
  const { act, isBusy, upload } = player;
  const recorder = useRecorder();
  const [error, setError] = useState<Error | null>(null);
  const handIn = async (recording: Blob): Promise<void> => {
    if (isBusy) return;
    setError(null);
    try {
      const after = await upload(recordingName(recording), recording);
      const path = after.exercise?.uploads.at(-1)?.path;
      if (path !== undefined) act({ act: "answer", path });
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)));
    }
  };
  const compare = (): void => {
    act({ act: "answer", done: true });
  };
  useKeys({ enter: compare });
  return (
    <div className="rounded-xl border border-line bg-paper px-5 py-4">
      <p className="font-semibold">{text.say}</p>
      <Controls recorder={recorder} />
      <p role="status" className="text-base text-ink-soft">
        {noteOf(recorder.state)}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {recorder.recording !== null && recorder.state === "recorded" && (
          <Button aria-disabled={isBusy} onClick={() => void handIn(recorder.recording ?? new Blob())}>
            {text.handIn}
          </Button>
        )}
        <Button look="quiet" aria-disabled={isBusy} onClick={compare}>
          {text.said}
        </Button>
      </div>
      {error !== null && <FormError id="study-voice-error" error={error} />}
    </div>
  );
}

function Controls({ recorder }: { recorder: Recorder }): ReactNode {
  const { state, start, stop, play } = recorder;
  if (state === "missing" || state === "denied") return null;
  return (
    <div className="my-2 flex flex-wrap gap-2">
      {state === "recording" ? (
        <Button look="danger" onClick={stop}>
          <Square aria-hidden className="size-4" />
          {text.stop}
        </Button>
      ) : (
        <Button look="quiet" onClick={start}>
          <Mic aria-hidden className="size-4" />
          {state === "recorded" ? text.anew : text.record}
        </Button>
      )}
      {state === "recorded" && (
        <Button look="quiet" onClick={play}>
          <Play aria-hidden className="size-4" />
          {text.play}
        </Button>
      )}
    </div>
  );
}

function noteOf(state: Recorder["state"]): string {
  switch (state) {
    case "idle":
      return "";
    case "recording":
      return text.recording;
    case "recorded":
      return text.recorded;
    case "missing":
      return text.noRecorder;
    case "denied":
      return text.denied;
  }
}

// The microphone: records, and plays back what it recorded.

interface Recorder {
  state: "idle" | "recording" | "recorded" | "missing" | "denied";
  recording: Blob | null;
  start: () => void;
  stop: () => void;
  play: () => void;
}

function useRecorder(): Recorder {
  const [state, setState] = useState<Recorder["state"]>(canRecord() ? "idle" : "missing");
  const [recording, setRecording] = useState<Blob | null>(null);
  const running = useRef<MediaRecorder | null>(null);
  useEffect(
    () => () => {
      if (running.current !== null) release(running.current);
    },
    [],
  );
  const start = async (): Promise<void> => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
    const recorder = new MediaRecorder(stream);
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => {
      parts.push(data);
    };
    recorder.onstop = () => {
      setRecording(new Blob(parts, { type: recorder.mimeType }));
      setState("recorded");
      release(recorder);
    };
    running.current = recorder;
    recorder.start();
    setState("recording");
  };
  return {
    state,
    recording,
    start: () => {
      start().catch(() => {
        setState("denied");
      });
    },
    stop: () => {
      if (running.current?.state === "recording") running.current.stop();
    },
    play: () => {
      if (recording !== null) void playBack(recording);
    },
  };
}

/** Where the browser gives no microphone (an address that is not safe, an old browser), one types. */
function canRecord(): boolean {
  return "MediaRecorder" in window && "mediaDevices" in navigator;
}

function release({ stream }: MediaRecorder): void {
  for (const track of stream.getTracks()) track.stop();
}

/** Not by an audio element: the content policy lets those play only what comes from the server. */
async function playBack(recording: Blob): Promise<void> {
  const context = new AudioContext();
  const source = context.createBufferSource();
  source.buffer = await context.decodeAudioData(await recording.arrayBuffer());
  source.connect(context.destination);
  source.onended = () => void context.close();
  source.start();
}

/** A name for a recording that says what it is. */
function recordingName({ type }: Blob): string {
  const ending = /audio\/(\w+)/.exec(type)?.[1] ?? "webm";
  return `recording.${ending === "mpeg" ? "mp3" : ending}`;
}
