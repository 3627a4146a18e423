/** The exercise that is being done, in the way of its modality. */

import type { ReactNode } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import type { StudyExercise } from "../../../wire/generated";
import { AnswerCard } from "./answer-card";
import { AnswerChoice } from "./answer-choice";
import { AnswerPhoto } from "./answer-photo";
import { AnswerText } from "./answer-text";
import { AnswerVoice } from "./answer-voice";
import { CodeWork } from "./code-work";
import { type Asked, askedIn } from "./flow";
import { Frame } from "./frame";
import { HelpBar } from "./help-bar";
import { Rate } from "./rate";
import { Talk } from "./said";
import { StudyText } from "./study-text";
import { TextWork } from "./text-work";
import type { Player } from "./use-session";
import { Worksheet } from "./worksheet-view";

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
