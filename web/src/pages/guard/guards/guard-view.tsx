/** Everything about one guard, and what a person may do with it. */

import { CircleCheck, CircleX } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { BackLink, Button, More } from "../../../ui/button";
import { Empty } from "../../../ui/data/answered";
import { type Column, DataTable } from "../../../ui/data/data-table";
import { Fact, Facts } from "../../../ui/data/facts";
import { When } from "../../../ui/data/when";
import { AlertAnswers, AlertFrame } from "../../../ui/dialog";
import { FormError, TextArea, Tick } from "../../../ui/forms/field";
import { Marked } from "../../../ui/marked";
import { RowPlot } from "../../../ui/plots/row-plot";
import { Section } from "../../../ui/section";
import { notify } from "../../../ui/toasts";
import type {
  LearnedAnswer,
  LearnedGuard,
  LearnedGuards,
  LearnedHit,
  LearnedReplay,
  LearnedTrial,
} from "../../../wire/generated";
import { Examples, History, MatcherFacts, type Move, useMove, useTryOut } from "./guard-parts";
import { guardsStrings } from "./strings";

const text = guardsStrings.one;
const MOVES: Record<LearnedGuard["standing"], readonly Move[]> = {
  proposed: ["shadow", "rollback"],
  shadow: ["promote", "rollback"],
  production: ["rollback"],
  rolled_back: [],
  retired: [],
};

export function GuardView({ id, found }: { id: string; found: LearnedGuards }): ReactNode {
  const guard = found.guards.find((each) => each.id === id);
  return (
    <div className="mt-5">
      <BackLink href={GUARD_PATHS.guards}>{text.back}</BackLink>
      {guard === undefined ? <Empty title={text.unknown(id)} hint={text.unknownHint} /> : <Whole guard={guard} />}
    </div>
  );
}

function Whole({ guard }: { guard: LearnedGuard }): ReactNode {
  const tryOut = useTryOut(guard.id);
  return (
    <>
      <p className="text-base font-semibold text-door-ink">{guardsStrings.standings[guard.standing]}</p>
      <h2 className="text-2xl [overflow-wrap:anywhere]">{guard.id}</h2>
      <blockquote className="mt-3 max-w-3xl border-l-4 border-spine pl-4 text-lg">
        <Marked text={guard.message} />
      </blockquote>
      <Acts guard={guard} tryOut={tryOut} />
      <div className="mt-6 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
        <Section heading={text.matcher} isSmall className="">
          <MatcherFacts guard={guard} />
        </Section>
        <Watched guard={guard} />
      </div>
      <Trial trial={tryOut.data?.trial ?? guard.trial} />
      <div className="mt-8 grid grid-cols-1 gap-x-10 gap-y-8 lg:grid-cols-2">
        <Examples name={text.must} examples={guard.must} />
        <Examples name={text.mustNot} examples={guard.mustNot} />
      </div>
      <History steps={guard.history} />
    </>
  );
}

function Acts({ guard, tryOut }: { guard: LearnedGuard; tryOut: ReturnType<typeof useTryOut> }): ReactNode {
  const [move, setMove] = useState<Move | null>(null);
  const moves = MOVES[guard.standing];
  return (
    <>
      <div className="mt-4 flex flex-wrap gap-2">
        {moves.map((each) => (
          <Button
            key={each}
            look={each !== "rollback" ? "primary" : guard.standing === "production" ? "danger" : "quiet"}
            onClick={() => {
              setMove(each);
            }}
          >
            {guardsStrings.acts[each].button}
          </Button>
        ))}
        <Button
          look="quiet"
          disabled={tryOut.isPending}
          onClick={() => {
            tryOut.mutate(undefined, {
              onSuccess: () => {
                notify(guardsStrings.acts.tried(guard.id));
              },
            });
          }}
        >
          {tryOut.isPending ? guardsStrings.acts.trying : guardsStrings.acts.try}
        </Button>
      </div>
      {tryOut.isError && (
        <div className="mt-3">
          <FormError id="try-error" error={tryOut.error} />
        </div>
      )}
      {move !== null && (
        <MoveDialog
          id={guard.id}
          move={move}
          onClose={() => {
            setMove(null);
          }}
        />
      )}
    </>
  );
}

function Watched({ guard }: { guard: LearnedGuard }): ReactNode {
  const { shadow } = guard;
  return (
    <Section heading={text.watched} isSmall className="">
      <Facts>
        <Fact name={text.events}>{shadow.events.toLocaleString(locale())}</Fact>
        <Fact name={text.hits}>{shadow.hits.toLocaleString(locale())}</Fact>
        <Fact name={text.harmless}>{shadow.harmless.toLocaleString(locale())}</Fact>
        <Fact name={text.overridden}>{shadow.overridden.toLocaleString(locale())}</Fact>
        <Fact name={text.since}>
          <When as="recent" at={guard.since} />
        </Fact>
        <Fact name={text.version}>{String(guard.version)}</Fact>
        <Fact name={text.decided}>
          <Link href={`${GUARD_PATHS.decisions}?rule=${encodeURIComponent(`guard:${guard.id}`)}`} className="text-accent underline">
            {text.decisions}
          </Link>
        </Fact>
      </Facts>
    </Section>
  );
}

const trialText = guardsStrings.trial;

/** What a guard was tried on: its examples, harmless actions, the past. */
function Trial({ trial }: { trial: LearnedTrial | null }): ReactNode {
  return (
    <Section heading={trialText.heading} isSmall className="mt-8">
      {trial === null ? <p className="text-ink-soft">{trialText.untried}</p> : <Results trial={trial} />}
    </Section>
  );
}

function Results({ trial }: { trial: LearnedTrial }): ReactNode {
  const { replay } = trial;
  const hits = replay.already + replay.corrected + replay.harmless;
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
      <ul className="flex flex-col gap-3">
        <Result name={trialText.examples} isGood={trial.faults.length === 0} said={trialText.examplesGood} faults={trial.faults} />
        <Result name={trialText.probe} isGood={trial.benign === 0} said={trialText.probed(trial.benign, trial.probed)} hits={trial.benignHits} />
        <Result
          name={trialText.replay}
          isGood={replay.harmless === 0}
          said={trialText.replayed(hits, replay.actions)}
          hits={replay.hits.filter(({ decision }) => decision === "allow")}
        />
      </ul>
      {replay.actions > 0 && <ReplayPlot replay={replay} />}
      {trial.answers.length > 0 && <Answers answers={trial.answers} />}
    </div>
  );
}

const COLUMNS: readonly Column<LearnedAnswer>[] = [
  {
    key: "question",
    name: trialText.criterionColumns[0],
    cell: ({ question, side }) => (
      <>
        {question}
        <span className="block text-[0.9375rem] text-ink-soft">{trialText.sides[side]}</span>
      </>
    ),
  },
  {
    key: "holds",
    name: trialText.criterionColumns[1],
    cell: ({ holds }) => <span className={holds ? "font-semibold" : "text-ink-soft"}>{holds ? trialText.yes : trialText.no}</span>,
  },
  { key: "why", name: trialText.criterionColumns[2], cell: ({ why }) => <Marked text={why} /> },
];

/** The table behind a promotion: reasons to keep things as they are, and reasons to change them. */
function Answers({ answers }: { answers: readonly LearnedAnswer[] }): ReactNode {
  return (
    <DataTable
      caption={trialText.criterion}
      captionShown
      columns={COLUMNS}
      rows={answers}
      rowKey={({ row }) => row}
      narrow="stack"
      className="lg:col-span-2"
    />
  );
}

interface ResultProps {
  name: string;
  isGood: boolean;
  said: string;
  faults?: readonly string[];
  hits?: readonly LearnedHit[];
}

function Result({ name, isGood, said, faults = [], hits = [] }: ResultProps): ReactNode {
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <li className="flex gap-2">
      <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${isGood ? "text-ok" : "text-fail"}`} />
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        {faults.length === 0 ? <p>{said}</p> : faults.map((fault) => <Marked key={fault} className="block" text={fault} />)}
        {hits.length > 0 && (
          <More words={trialText.hits} className="mt-1">
            <ul className="mt-1 flex flex-col gap-1">
              {hits.map((hit) => (
                <li key={hit.id} className="text-base">
                  <span className="text-ink-soft">{hit.tool}</span> <code className="text-[0.95em]">{hit.text}</code>
                </li>
              ))}
            </ul>
          </More>
        )}
      </div>
    </li>
  );
}

const BARS = [
  { key: "already", fill: "fill-spine" },
  { key: "corrected", fill: "fill-warn" },
  { key: "harmless", fill: "fill-fail" },
  { key: "unclear", fill: "fill-edge" },
] as const;

/** What a guard would have stopped in the past, by what became of it then: four bars. */
function ReplayPlot({ replay }: { replay: LearnedReplay }): ReactNode {
  const rows = BARS.map(({ key, fill }) => ({ name: trialText.bars[key], value: replay[key], shown: replay[key].toLocaleString(locale()), fill }));
  return (
    <RowPlot
      name={trialText.plot}
      summary={trialText.against}
      rows={rows}
      most={Math.max(1, ...rows.map(({ value }) => value))}
      left={168}
      right={56}
      read={({ name, value }) => trialText.point(name, value ?? 0)}
      table={{ columns: [...trialText.columns], rows: rows.map(({ name, shown }) => [name, shown]) }}
    />
  );
}

const actsText = guardsStrings.acts;

interface MoveDialogProps {
  id: string;
  move: Move;
  onClose: () => void;
}

/** Asks why before a guard goes to another stage: the answer is kept with the step. */
function MoveDialog({ id, move, onClose }: MoveDialogProps): ReactNode {
  const words = actsText[move];
  const [why, setWhy] = useState("");
  const [force, setForce] = useState(false);
  const moving = useMove(id, move, () => {
    notify(words.done(id));
    onClose();
  });
  return (
    <AlertFrame title={words.title(id)} description={words.description} onCancel={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          moving.mutate({ why: why.trim(), force });
        }}
      >
        <TextArea label={actsText.why} hint={actsText.whyHint} rows={3} required maxLength={2000} value={why} onChange={setWhy} />
        {move !== "rollback" && <Tick label={actsText.force} hint={actsText.forceHint} isTicked={force} onTick={setForce} />}
        {moving.isError && <FormError id="move-error" error={moving.error} />}
        <AlertAnswers cancel={actsText.cancel}>
          <Button type="submit" look={move === "rollback" ? "danger" : "primary"} disabled={why.trim() === "" || moving.isPending}>
            {moving.isPending ? actsText.working : words.confirm}
          </Button>
        </AlertAnswers>
      </form>
    </AlertFrame>
  );
}
