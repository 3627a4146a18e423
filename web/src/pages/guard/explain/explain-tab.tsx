/** A box to paste a command into, and what the rules say of it. */

import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from "react";

import { guardExplainStrings } from "../../../strings-guard-rules";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { TextArea, TextField } from "../../../ui/field";
import { Skeleton } from "../../../ui/skeleton";
import { useAddress } from "../address";
import { useExplained } from "../hooks";
import { Judgement } from "./judgement";

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
