/** A box to paste a command into, and what the rules say of it. */

import { type KeyboardEvent, type ReactNode, type SubmitEvent, useState } from "react";

import { guardExplainStrings } from "../../../strings-guard-rules";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
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
      <label htmlFor="guard-command" className="font-semibold">
        {text.command}
      </label>
      <textarea
        id="guard-command"
        rows={Math.min(Math.max(words.split("\n").length, 2), 10)}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        value={words}
        placeholder={text.placeholder}
        aria-describedby="guard-command-hint"
        onChange={(event) => {
          setWords(event.target.value);
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
        className="mt-1.5 block w-full rounded-md border border-edge bg-card px-3 py-2 font-mono text-base placeholder:text-ink-soft"
      />
      <p id="guard-command-hint" className="mt-1 text-base text-ink-soft">
        {text.hint}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-4">
        <label className="flex min-w-0 flex-1 basis-72 flex-col gap-1">
          <span className="text-base text-ink-soft">
            {text.cwd} <span className="max-sm:block">({text.cwdHint})</span>
          </span>
          <input
            type="text"
            autoComplete="off"
            spellCheck={false}
            value={folder}
            onChange={(event) => {
              setFolder(event.target.value);
            }}
            className="min-h-11 w-full rounded-md border border-edge bg-card px-3"
          />
        </label>
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
  const found = useExplained(command, cwd);
  if (found.data !== undefined) return <Judgement judged={found.data} onJudge={(asked) => { onJudge(asked, cwd); }} />;
  if (found.isError) return <QueryError title={text.failed} query={found} />;
  return (
    <Loading label={text.judging}>
      <Skeleton className="mt-6 h-40" />
    </Loading>
  );
}
