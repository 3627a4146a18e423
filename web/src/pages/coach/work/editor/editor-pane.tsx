/** The open files: tabs, the text in front, what can be done with it, and the terminal below. */

import { FilePlus2, LoaderCircle } from "lucide-react";
import { type ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { ErrorPanel } from "../../../../ui/error-panel";
import { Marked } from "../../../../ui/marked";
import { useCoachActions } from "../../state/actions";
import { useFiles } from "../../state/files";
import { useTerminal } from "../../state/terminal";
import { TerminalPanel } from "../terminal/terminal-panel";
import { OpenFileView } from "./open-file";
import { FileTabs, PANEL_ID } from "./tabs";

const text = coachStrings.files;

export function EditorPane(): ReactNode {
  const isTerminal = useTerminal((terminal) => terminal.isShown);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <FileTabs />
      <div className="flex min-h-0 flex-1 flex-col">
        <Front />
      </div>
      {isTerminal && <TerminalPanel />}
    </div>
  );
}

function Front(): ReactNode {
  const { current, files, opening, failed } = useFiles();
  const { openFile } = useCoachActions();
  const file = current === null ? undefined : files[current];
  if (failed !== null) {
    return (
      <div className="px-5">
        <ErrorPanel
          title={text.failed(failed.path).replaceAll("`", "")}
          message={failed.message}
          hint={failed.hint}
          onRetry={() => {
            openFile(failed.path);
          }}
        />
      </div>
    );
  }
  if (file === undefined) {
    return (
      <div className="grid flex-1 place-items-center p-8">
        <p className="flex max-w-80 flex-col items-center gap-3 text-center text-ink-soft" role={opening === null ? undefined : "status"}>
          {opening === null ? <FilePlus2 aria-hidden className="size-8" /> : <LoaderCircle aria-hidden className="size-8 animate-spin" />}
          {opening === null ? text.empty : <Marked text={text.opening(opening)} />}
        </p>
      </div>
    );
  }
  return (
    <div id={PANEL_ID} role="tabpanel" aria-labelledby={`${PANEL_ID}-tab`} className="flex min-h-0 flex-1 flex-col">
      {file.isBinary ? <p className="p-5 text-ink-soft">{text.binary}</p> : <OpenFileView file={file} />}
    </div>
  );
}
