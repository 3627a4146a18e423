/** A session: one clear thing on screen, from the first recall to the summary. */

import { type ReactNode, useState } from "react";

import { type PageKey, usePageKeys } from "../../../keyboard/page-keys";
import { strings } from "../../../strings";
import { sessionStrings as text } from "../../../strings-study-session";
import { Answered } from "../../../ui/answered";
import { Skeleton } from "../../../ui/skeleton";
import type { StudyStep } from "../../../wire/generated";
import { Problems } from "../problems";
import { Exercise } from "./exercise";
import { Feedback } from "./feedback";
import { subjectOf } from "./flow";
import { SessionHeader } from "./header";
import { Check, Lesson } from "./lesson";
import { Start } from "./start";
import { Summary } from "./summary";
import { type Player, usePlayer, useStep } from "./use-session";

import "../study.css";

const keys = strings.shortcuts.study;
/** The parts of the session listen to them; here they are only listed. */
const KEYS: readonly PageKey[] = [
  { keys: ["Enter"], does: keys.goOn },
  { keys: ["1–4"], does: keys.rate },
  { keys: ["A–D"], does: keys.choose },
  { keys: ["H"], does: keys.hint },
];

export default function SessionPage({ course }: { course: string }): ReactNode {
  usePageKeys(keys.heading, KEYS);
  const found = useStep(course);
  const step = found.data;
  return (
    <div className="mx-auto max-w-3xl">
      <SessionHeader title={step?.courseTitle ?? course} step={step} />
      <Answered query={found} words={text} skeleton={<Skeleton className="h-96" />}>
        {(now) => <Session key={course} step={now} />}
      </Answered>
    </div>
  );
}

function Session({ step }: { step: StudyStep }): ReactNode {
  const player = usePlayer(step);
  const [again, setAgain] = useState<string | null>(null);
  return (
    <>
      <Content
        player={player}
        isAgain={again !== null && again === step.session}
        onAgain={() => {
          setAgain(step.session);
        }}
      />
      <Problems problems={step.problems} />
      <p role="status" className="sr-only">
        {player.isBusy ? text.judging : ""}
      </p>
    </>
  );
}

interface ContentProps {
  player: Player;
  isAgain: boolean;
  onAgain: () => void;
}

function Content({ player, isAgain, onAgain }: ContentProps): ReactNode {
  const { step, ended, goOn } = player;
  if (ended !== null) return <Feedback key={ended.after.step} ended={ended} goOn={goOn} />;
  if (isAgain) return <Start step={step} anew={false} />;
  const key = subjectOf(step);
  switch (step.stage) {
    case "teach":
      return <Lesson key={key} player={player} />;
    case "check":
      return <Check key={key} player={player} />;
    case "exercise":
      return step.exercise === null ? null : <Exercise key={key} player={player} exercise={step.exercise} />;
    case "over":
      return <Summary step={step} onAgain={onAgain} />;
    case "nothing":
      return <Start step={step} anew={false} />;
    case "ready":
      // Nobody sees it: the server makes the exercise before it answers.
      return null;
  }
}
