/** The exercise that is being done, in the way of its modality. */

import { Eye, Lightbulb, Mic, Play, Square } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/forms/field";
import { Menu, MenuItem, MenuLine } from "../../../ui/menu";
import type { StudyExercise, StudyQuestion } from "../../../wire/generated";
import { audioAddress } from "../api";
import { studyStrings } from "../strings";
import { AnswerCard, AnswerChoice, AnswerPhoto, AnswerText, Rate } from "./answers";
import { CodeWork } from "./code-work";
import { type Asked, askedIn, subjectOf, withoutErrands } from "./flow";
import { Frame, StudyText, Talk } from "./frame";
import { sessionStrings as text, sessionStrings } from "./strings";
import { type Player, useDraft, useKeys } from "./use-session";
import { FileView, useWorkFile } from "./work-file";
import { countWords, type Mode, Modes, Worksheet } from "./worksheet";

export function Exercise({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const asked = askedIn(exercise);
  return (
    <Frame player={player}>
      {asked === null ? <Whole player={player} exercise={exercise} /> : <OneByOne player={player} exercise={exercise} asked={asked} />}
      <HelpBar player={player} exercise={exercise} />
    </Frame>
  );
}

/** Work on files, and photos: given out and handed in whole. */
function Whole({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  if (player.step.expects === "self_check") return <Compare player={player} exercise={exercise} />;
  switch (exercise.modality) {
    case "worksheet":
      return <Worksheet player={player} exercise={exercise} />;
    case "long_form":
      return <TextWork player={player} exercise={exercise} />;
    case "image_review":
      return <AnswerPhoto player={player} exercise={exercise} />;
    case "code":
      return <CodeWork player={player} exercise={exercise} />;
    case "audio":
    case "collaborative":
    case "conversation":
    case "flashcard":
    case "repl":
      return (
        <>
          <StudyText text={exercise.body} className="max-w-prose text-lg" />
          <Answer player={player} asked={null} exercise={exercise} />
        </>
      );
  }
}

/** Work that nobody here can judge: what it is compared with, and what its writer says of it. */
function Compare({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  return (
    <>
      <StudyText text={withoutErrands(exercise.body)} className="max-w-prose text-lg" />
      <Talk talk={player.talk} />
      <Rate
        label={text.card.rate}
        names={text.photo.ratings}
        isNext
        isBusy={player.isBusy}
        onRate={(rating) => {
          player.act({ act: "answer", rating });
        }}
      />
    </>
  );
}

interface OneProps {
  player: Player;
  exercise: StudyExercise;
  asked: Asked;
}

function OneByOne({ player, exercise, asked }: OneProps): ReactNode {
  const { intro, question } = asked;
  const isCard = exercise.modality === "flashcard" && exercise.answeredBy !== "choice";
  return (
    <>
      {intro !== "" && <StudyText text={intro} className="mb-5 max-w-prose border-l-4 border-rule pl-4 text-ink-soft" />}
      {isCard ? (
        <AnswerCard player={player} asked={asked} />
      ) : (
        <>
          {question.context !== null && <StudyText text={question.context} className="mb-4 max-w-prose" />}
          {question.starter !== null && <StudyText text={`\`\`\`\n${question.starter.trim()}\n\`\`\``} className="mb-4" />}
          <StudyText text={question.prompt} className="max-w-prose text-xl font-semibold" />
          {question.parts.length > 0 && <Pieces parts={question.parts} />}
          {player.step.expects !== "self_check" && <Talk talk={player.talk} />}
          <Answer player={player} exercise={exercise} asked={asked} />
        </>
      )}
    </>
  );
}

function Pieces({ parts }: { parts: readonly string[] }): ReactNode {
  return (
    <ul className="mt-4 flex flex-wrap gap-2">
      {parts.map((part) => (
        <li key={part} className="rounded-md border border-edge bg-paper px-3 py-1.5 text-lg">
          {part}
        </li>
      ))}
    </ul>
  );
}

function Answer({ player, exercise, asked }: { player: Player; exercise: StudyExercise; asked: Asked | null }): ReactNode {
  const key = asked?.question.id;
  switch (player.step.expects) {
    case "choice":
      return <AnswerChoice key={key} player={player} choices={asked?.question.choices ?? []} />;
    case "entry":
      return <AnswerText key={key} player={player} label={text.entry.label} submit={text.entry.run} hint={text.entry.hint} isCode />;
    case "voice":
      return <AnswerVoice key={key} player={player} exercise={exercise} question={asked?.question ?? null} />;
    case "folder":
      return <CodeWork key={key} player={player} exercise={exercise} />;
    case "self_check":
      return (
        <>
          <StudyText text={asked?.back ?? ""} className="study-turn mt-5 rounded-xl bg-cover/50 px-5 py-4 text-lg" />
          <Rate
            label={text.card.rate}
            isNext
            isBusy={player.isBusy}
            onRate={(rating) => {
              player.act({ act: "answer", rating });
            }}
          />
        </>
      );
    case "text":
    case "recall":
    case "file":
    case "image":
      return asked?.question.audio == null ? (
        <AnswerText key={key} player={player} />
      ) : (
        <AnswerVoice key={key} player={player} exercise={exercise} question={asked.question} />
      );
    case "go_on":
    case "nothing":
      return null;
  }
}

const workText = sessionStrings.text;

/** A long answer: the question, what it should address, how it is judged, and room to write. */
function TextWork({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { step, act, isBusy } = player;
  const [mode, setMode] = useState<Mode>("here");
  const [words, setWords] = useDraft(subjectOf(step));
  const path = exercise.file ?? "";
  const file = useWorkFile(step.course, path);
  const handIn = async (): Promise<void> => {
    if (isBusy) return;
    // Whoever wrote nothing here has worked on the file.
    if (mode === "here" && words.trim() !== "") act({ act: "answer", text: words });
    else if (path !== "" && (await file.save())) act({ act: "answer", done: true });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void handIn();
      }}
    >
      <StudyText text={withoutErrands(exercise.body)} className="max-w-prose text-lg" />
      {exercise.rubric.length > 0 && <Rubric exercise={exercise} />}
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        {path !== "" && <Modes mode={mode} onChange={setMode} />}
        <p className="text-base text-ink-soft">{sessionStrings.sheet.takeTime}</p>
      </div>
      {mode === "file" ? (
        <FileView file={file} path={path} root={step.root} />
      ) : (
        <>
          <label htmlFor="study-text" className="mt-4 block font-semibold">
            {workText.label}
          </label>
          <textarea
            id="study-text"
            rows={10}
            value={words}
            readOnly={isBusy}
            aria-describedby="study-text-words study-text-kept"
            onChange={(event) => {
              setWords(event.target.value);
            }}
            className="mt-1.5 block field-sizing-content min-h-64 w-full max-w-prose rounded-lg border border-edge bg-paper px-5 py-4 text-lg leading-relaxed"
          />
          <p className="mt-1.5 flex max-w-prose flex-wrap justify-between gap-x-4 text-base text-ink-soft">
            <span id="study-text-words" className="font-semibold tabular-nums">
              {workText.words(countWords(words), exercise.minWords)}
            </span>
            <span id="study-text-kept">{workText.kept}</span>
          </p>
        </>
      )}
      <Talk talk={player.talk} />
      <Button type="submit" className="mt-5 min-h-12 px-6 text-lg" aria-disabled={isBusy}>
        {isBusy ? sessionStrings.judging : mode === "here" ? sessionStrings.sheet.handIn : sessionStrings.sheet.handInFile}
      </Button>
    </form>
  );
}

function Rubric({ exercise }: { exercise: StudyExercise }): ReactNode {
  return (
    <details className="mt-4 max-w-prose rounded-lg border border-line px-4 py-2">
      <summary className="min-h-8 cursor-pointer font-semibold">{workText.rubric}</summary>
      <dl className="mt-1 divide-y divide-rule">
        {exercise.rubric.map(({ name, description, weight }) => (
          <div key={name} className="py-2">
            <dt className="flex justify-between gap-4 font-semibold">
              {name}
              <span className="text-ink-soft tabular-nums">{workText.weight(weight)}</span>
            </dt>
            <dd className="text-base text-ink-soft">{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

const helpText = sessionStrings.help;
/** Work on these is handed in whole: the work itself is the try. */
const WHOLE = ["worksheet", "long_form", "image_review"];

/** Help with an exercise, rung by rung, and other ways to go on. */
function HelpBar({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
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
            {helpText.hint}
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
            {helpText.giveUp}
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
          <summary className="w-fit cursor-pointer rounded font-semibold">{helpText.why}</summary>
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
      {helpText.offer(studyStrings.modalities[modality])}
      <Button
        look="quiet"
        onClick={() => {
          player.act({ act: "instead", modality });
        }}
      >
        {helpText.offerTake}
      </Button>
    </p>
  );
}

function More({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { act } = player;
  return (
    <Menu label={helpText.moreMenu} button={helpText.more}>
      {exercise.instead.map((modality) => (
        <MenuItem
          key={modality}
          onSelect={() => {
            act({ act: "instead", modality });
          }}
        >
          {helpText.as(studyStrings.modalities[modality])}
        </MenuItem>
      ))}
      {exercise.instead.length > 0 && <MenuLine />}
      <MenuItem
        onSelect={() => {
          act({ act: "skip" });
        }}
      >
        {helpText.skip}
      </MenuItem>
      <MenuItem
        onSelect={() => {
          act({ act: "stop" });
        }}
      >
        {helpText.stop}
      </MenuItem>
    </Menu>
  );
}

// Listening and speaking: hear the prompt, say or type the answer, or compare for oneself.

const voiceText = sessionStrings.voice;

interface VoiceProps {
  player: Player;
  exercise: StudyExercise;
  question: StudyQuestion | null;
}

function AnswerVoice({ player, question }: VoiceProps): ReactNode {
  const { step } = player;
  const isHeard = question?.audio != null;
  return (
    <div className="mt-5">
      {isHeard && (
        <figure>
          <figcaption className="font-semibold">{voiceText.listen}</figcaption>
          {/* Words under it would be the answer. */}
          {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
          <audio controls preload="auto" src={audioAddress(step.course, question.id)} className="mt-2 w-full max-w-md" />
          <p className="mt-1 text-base text-ink-soft">{voiceText.again}</p>
        </figure>
      )}
      {step.expects === "voice" && <Speak player={player} />}
      <AnswerText player={player} label={isHeard ? voiceText.heard : voiceText.type} />
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
      <p className="font-semibold">{voiceText.say}</p>
      <Controls recorder={recorder} />
      <p role="status" className="text-base text-ink-soft">
        {noteOf(recorder.state)}
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        {recorder.recording !== null && recorder.state === "recorded" && (
          <Button aria-disabled={isBusy} onClick={() => void handIn(recorder.recording ?? new Blob())}>
            {voiceText.handIn}
          </Button>
        )}
        <Button look="quiet" aria-disabled={isBusy} onClick={compare}>
          {voiceText.said}
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
          {voiceText.stop}
        </Button>
      ) : (
        <Button look="quiet" onClick={start}>
          <Mic aria-hidden className="size-4" />
          {state === "recorded" ? voiceText.anew : voiceText.record}
        </Button>
      )}
      {state === "recorded" && (
        <Button look="quiet" onClick={play}>
          <Play aria-hidden className="size-4" />
          {voiceText.play}
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
      return voiceText.recording;
    case "recorded":
      return voiceText.recorded;
    case "missing":
      return voiceText.noRecorder;
    case "denied":
      return voiceText.denied;
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
