/** A box to paste a command into, and what the rules say of it. */

import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from "react";

import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { CommandText } from "../../ui/data/command-text";
import { TextArea, TextField } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { Skeleton } from "../../ui/skeleton";
import type { GuardExplained, GuardStep } from "../../wire/generated";
import { useAddress } from "./address";
import { useExplained } from "./hooks";
import { DecisionMark } from "./marks";
import { guardExplainStrings } from "./strings-rules";

const text = guardExplainStrings;

export function ExplainTab(): ReactNode {
  const { command, cwd, go } = useAddress();
  const judge = (asked: string, folder: string): void => {
    go({ command: asked, cwd: folder }, { replace: command !== "" });
  };
  return (
    <>
      <p className="max-w-2xl text-ink-soft">{text.lead}</p>
      <CommandForm key={`${command}\n${cwd}`} command={command} cwd={cwd} onJudge={judge} />
      {command !== "" && <Result command={command} cwd={cwd} onJudge={judge} />}
    </>
  );
}

interface FormProps {
  command: string;
  cwd: string;
  onJudge: (command: string, cwd: string) => void;
}

function CommandForm({ command, cwd, onJudge }: FormProps): ReactNode {
  const [words, setWords] = useState(command);
  const [folder, setFolder] = useState(cwd);
  const submit = (): void => {
    if (words.trim() !== "") onJudge(words, folder.trim());
  };
  return (
    <form
      className="mt-5"
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextArea
        label={text.command}
        hint={text.hint}
        rows={Math.min(Math.max(words.split("\n").length, 2), 10)}
        isCode
        value={words}
        placeholder={text.placeholder}
        onChange={setWords}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="mt-4 flex flex-wrap items-end gap-4">
        <TextField label={text.cwd} about={text.cwdHint} value={folder} onChange={setFolder} className="flex-1 basis-72" />
        <Button type="submit">{text.judge}</Button>
      </div>
      {command === "" && (
        <Samples
          onJudge={(sample) => {
            onJudge(sample, folder.trim());
          }}
        />
      )}
    </form>
  );
}

/** Something to begin with, for those who have nothing to paste. */
function Samples({ onJudge }: { onJudge: (command: string) => void }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap items-baseline gap-2">
      <span className="text-base text-ink-soft">{text.examples}</span>
      {text.samples.map((sample) => (
        <button
          key={sample}
          type="button"
          onClick={() => {
            onJudge(sample);
          }}
          className="min-h-9 rounded border border-line bg-card px-2 text-left hover:border-accent hover:text-accent"
        >
          <code className="text-[0.9em] [overflow-wrap:anywhere]">{sample}</code>
        </button>
      ))}
    </div>
  );
}

function Result({ command, cwd, onJudge }: FormProps): ReactNode {
  return (
    <Answered query={useExplained(command, cwd)} words={{ loading: text.judging, failed: text.failed }} skeleton={<Skeleton className="mt-6 h-40" />}>
      {(judged) => (
        <Judgement
          judged={judged}
          onJudge={(asked) => {
            onJudge(asked, cwd);
          }}
        />
      )}
    </Answered>
  );
}

const EDGE = { allow: "border-l-ok", pass: "border-l-line", ask: "border-l-warn", deny: "border-l-fail" };

interface JudgementProps {
  judged: GuardExplained;
  onJudge: (command: string) => void;
}

/** What the rules say of a command, and every command that was found in it. */
function Judgement({ judged, onJudge }: JudgementProps): ReactNode {
  return (
    <section aria-labelledby="guard-judgement" className="mt-8">
      <h2 id="guard-judgement" className="sr-only">
        {text.result}
      </h2>
      <div role="status" className={clsx("rounded-lg border border-line border-l-4 bg-card p-5", EDGE[judged.decision])}>
        <p className="flex flex-wrap items-baseline gap-x-4 text-lg">
          <DecisionMark decision={judged.decision} />
          <span className="font-semibold">{text.says[judged.decision]}</span>
        </p>
        {judged.reason !== "" && <Marked className="mt-2 block" text={judged.reason} />}
        {judged.instead !== "" && <Instead said={judged.instead} onJudge={onJudge} />}
        <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
          {text.rule} <code className="text-[0.95em] text-ink">{judged.rule}</code> · <Marked text={text.where(judged.cwd)} />
        </p>
        {!judged.clear && judged.unclear !== "" && <Marked className="block text-base text-warn" text={text.unclear(judged.unclear)} />}
      </div>
      <h3 className="mt-6 text-lg">{text.steps}</h3>
      <p className="text-base text-ink-soft">{judged.steps.length === 0 ? text.noSteps : text.stepsCount(judged.steps.length)}</p>
      <ol className="mt-3 flex flex-col gap-3 empty:hidden">
        {judged.steps.map((step, place) => (
          <li key={place}>
            <Step step={step} isDeciding={place === deciding(judged)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The first command the judgement was made for; none when something else decided. */
function deciding({ steps, rule, decision }: GuardExplained): number {
  return steps.findIndex((step) => step.rule === rule && step.decision === decision);
}

function Instead({ said, onJudge }: { said: string; onJudge: (command: string) => void }): ReactNode {
  const isCommand = !said.includes("`") && !said.endsWith(".") && !said.endsWith("?");
  return (
    <div className="mt-2">
      <span className="font-semibold">{text.instead}:</span>{" "}
      {isCommand ? (
        <>
          <Marked text={`\`${said}\``} />{" "}
          <button
            type="button"
            onClick={() => {
              onJudge(said);
            }}
            className="min-h-9 font-semibold text-accent underline underline-offset-2 hover:text-accent-strong"
          >
            {text.judgeThat}
          </button>
        </>
      ) : (
        <Marked text={said} />
      )}
    </div>
  );
}

function Step({ step, isDeciding }: { step: GuardStep; isDeciding: boolean }): ReactNode {
  const [program, ...words] = step.words;
  return (
    <div className={clsx("border-l-4 pl-4", isDeciding ? EDGE[step.decision] : "border-l-line")}>
      {program === undefined ? (
        <p className="text-ink-soft">{text.redirection}</p>
      ) : (
        <CommandText text={[program, ...words].map(quoted).join(" ")} />
      )}
      <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
        <DecisionMark decision={step.decision} />
        <code className="text-[0.95em] [overflow-wrap:anywhere]">{step.rule}</code>
        {isDeciding && <span className="text-base font-semibold">{text.strictest}</span>}
        <span className="text-base text-ink-soft">{text.considered(step.considered, step.family)}</span>
      </p>
      {step.reason !== "" && <Marked className="block text-base" text={step.reason} />}
    </div>
  );
}

/** A word as a shell would want it, so that its spaces can be seen. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~*?{}[\]…-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\"'\"'")}'`;
}
