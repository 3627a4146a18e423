/** The parts of the Guard page: decisions, rules, explaining a command, coding agents. */

import { clsx } from "clsx";
import { Check, CircleAlert, CircleHelp, type LucideIcon, Minus, PencilLine, ShieldX } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from "react";

import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { CommandText, Mark, type Tone } from "../../ui/data/facts";
import { TextArea, TextField } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { Skeleton } from "../../ui/skeleton";
import { TabPanel, Tabs } from "../../ui/tabs";
import type { GuardEntry, GuardExplained, GuardStep } from "../../wire/generated";
import { Hosts } from "../hosts/hosts";
import { DecisionsTab } from "./decisions";
import { TABS, useAddress, useExplained } from "./hooks";
import { RulesTab } from "./rules";
import { guardExplainStrings, guardStrings } from "./strings";

const text = guardStrings.tabs;

export default function GuardPage(): ReactNode {
  const { tab, go } = useAddress();
  return (
    <Tabs
      label={text.label}
      value={tab}
      tabs={TABS.map((name) => [name, text[name]])}
      onChange={(chosen) => {
        go({ tab: chosen === "decisions" ? null : chosen });
      }}
    >
      <TabPanel value="decisions">
        <DecisionsTab />
      </TabPanel>
      <TabPanel value="rules">
        <RulesTab />
      </TabPanel>
      <TabPanel value="explain">
        <ExplainTab />
      </TabPanel>
      <TabPanel value="hosts">
        <Hosts />
      </TabPanel>
    </Tabs>
  );
}

// A box to paste a command into, and what the rules say of it.

const explainText = guardExplainStrings;

function ExplainTab(): ReactNode {
  const { command, cwd, go } = useAddress();
  const judge = (asked: string, folder: string): void => {
    go({ command: asked, cwd: folder }, { replace: command !== "" });
  };
  return (
    <>
      <p className="max-w-2xl text-ink-soft">{explainText.lead}</p>
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
        label={explainText.command}
        hint={explainText.hint}
        rows={Math.min(Math.max(words.split("\n").length, 2), 10)}
        isCode
        value={words}
        placeholder={explainText.placeholder}
        onChange={setWords}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
      />
      <div className="mt-4 flex flex-wrap items-end gap-4">
        <TextField label={explainText.cwd} about={explainText.cwdHint} value={folder} onChange={setFolder} className="flex-1 basis-72" />
        <Button type="submit">{explainText.judge}</Button>
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
      <span className="text-base text-ink-soft">{explainText.examples}</span>
      {explainText.samples.map((sample) => (
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
    <Answered query={useExplained(command, cwd)} words={{ loading: explainText.judging, failed: explainText.failed }} skeleton={<Skeleton className="mt-6 h-40" />}>
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
        {explainText.result}
      </h2>
      <div role="status" className={clsx("rounded-lg border border-line border-l-4 bg-card p-5", EDGE[judged.decision])}>
        <p className="flex flex-wrap items-baseline gap-x-4 text-lg">
          <DecisionMark decision={judged.decision} />
          <span className="font-semibold">{explainText.says[judged.decision]}</span>
        </p>
        {judged.reason !== "" && <Marked className="mt-2 block" text={judged.reason} />}
        {judged.instead !== "" && <Instead said={judged.instead} onJudge={onJudge} />}
        <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
          {explainText.rule} <code className="text-[0.95em] text-ink">{judged.rule}</code> · <Marked text={explainText.where(judged.cwd)} />
        </p>
        {!judged.clear && judged.unclear !== "" && <Marked className="block text-base text-warn" text={explainText.unclear(judged.unclear)} />}
      </div>
      <h3 className="mt-6 text-lg">{explainText.steps}</h3>
      <p className="text-base text-ink-soft">{judged.steps.length === 0 ? explainText.noSteps : explainText.stepsCount(judged.steps.length)}</p>
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
      <span className="font-semibold">{explainText.instead}:</span>{" "}
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
            {explainText.judgeThat}
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
        <p className="text-ink-soft">{explainText.redirection}</p>
      ) : (
        <CommandText text={[program, ...words].map(quoted).join(" ")} />
      )}
      <p className="mt-1 flex flex-wrap items-baseline gap-x-3">
        <DecisionMark decision={step.decision} />
        <code className="text-[0.95em] [overflow-wrap:anywhere]">{step.rule}</code>
        {isDeciding && <span className="text-base font-semibold">{explainText.strictest}</span>}
        <span className="text-base text-ink-soft">{explainText.considered(step.considered, step.family)}</span>
      </p>
      {step.reason !== "" && <Marked className="block text-base" text={step.reason} />}
    </div>
  );
}

/** A word as a shell would want it, so that its spaces can be seen. */
function quoted(word: string): string {
  return /^[\w@%+=:,./~*?{}[\]…-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\"'\"'")}'`;
}

// How results look: an icon and a word, so that no colour has to be seen.

const VERDICTS: Record<GuardEntry["verdict"], { icon: LucideIcon; tone: Tone }> = {
  denied: { icon: ShieldX, tone: "fail" },
  asked: { icon: CircleHelp, tone: "warn" },
  changed: { icon: PencilLine, tone: "accent" },
  passed: { icon: Check, tone: "ok" },
  fault: { icon: CircleAlert, tone: "fail" },
};
const JUDGED: Record<GuardExplained["decision"], { icon: LucideIcon; tone: Tone }> = {
  allow: VERDICTS.passed,
  pass: { icon: Minus, tone: "soft" },
  ask: VERDICTS.asked,
  deny: VERDICTS.denied,
};

export function VerdictMark({ verdict, className }: { verdict: GuardEntry["verdict"]; className?: string }): ReactNode {
  return (
    <Mark {...VERDICTS[verdict]} className={className}>
      {guardStrings.verdicts[verdict]}
    </Mark>
  );
}

export function DecisionMark({ decision, className }: { decision: GuardExplained["decision"]; className?: string }): ReactNode {
  return (
    <Mark {...JUDGED[decision]} className={className}>
      {guardStrings.judged[decision]}
    </Mark>
  );
}
