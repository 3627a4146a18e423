/** What a person does on the pages of the coach, as messages to the server. */

import { useMemo } from "react";

import { type Services, useServices } from "../../../services";
import { notifyError } from "../../../ui/toasts";
import type { ClientFrame, TextRange } from "../../../wire/generated";
import { coachStrings } from "../strings";
import { isStale, markOf, readDisk, useDrafts, useFiles } from "./files";
import { type HintLevel, useHints } from "./hints";
import { ids, useCoachSession, wantLine } from "./session";
import { useQuestions } from "./stores";

const text = coachStrings.notices;

interface Selected {
  range: TextRange;
  text: string;
  around: string;
}

type CoachActions = ReturnType<typeof createActions>;

export function useCoachActions(): CoachActions {
  const services = useServices();
  return useMemo(() => createActions(services), [services]);
}

function createActions(services: Services) {
  const { connection } = services;
  /** Sends what somebody waits for; says so when it cannot be sent. */
  const ask = (frame: ClientFrame): boolean => {
    const isSent = connection.send(frame);
    if (!isSent) notifyError(text.notSent, { hint: text.notSentHint });
    return isSent;
  };
  /** Sends what nobody waits for. */
  const tell = (frame: ClientFrame): void => {
    connection.send(frame);
  };
  return {
    ask,
    tell,
    ...fileActions(services, ask, tell),
    ...sessionActions(ask, tell),
    explain: (path: string, language: string, selected: Selected): void => {
      const { range: selection, text: selectedText, around: surroundingContext } = selected;
      const payload = { path, language, selection, selectedText, surroundingContext };
      if (ask({ type: "user:explain", payload, id: ids.explain })) {
        useQuestions.setState({ explanation: { state: "asking" } });
      }
    },
    review: (): void => {
      if (ask({ type: "user:review", payload: {}, id: ids.review })) {
        useQuestions.setState({ review: { state: "asking" } });
      }
    },
  };
}

type Send<T> = (frame: ClientFrame) => T;

function fileActions({ api }: Services, ask: Send<boolean>, tell: Send<void>) {
  const files = useFiles;
  const show = (path: string, line: number | null = null): void => {
    const { current } = files.getState();
    files.getState().show(path, line);
    if (current !== path) tell({ type: "editor:tab_switch", payload: { fromPath: current, toPath: path } });
  };
  const write = (path: string, content: string): void => {
    if (ask({ type: "file:save", payload: { path, content }, id: ids.save(path) })) {
      files.getState().changeFile(path, { saving: content, error: null });
    }
  };
  return {
    openFile: (path: string, line: number | null = null): void => {
      if (path in files.getState().files) {
        show(path, line);
        return;
      }
      wantLine(path, line);
      if (ask({ type: "file:open", payload: { path }, id: ids.open(path) })) files.getState().begin(path);
    },
    closeFile: (path: string): void => {
      files.getState().close(path);
      tell({ type: "file:close", payload: { path } });
    },
    /** The text changed and is not saved. */
    type: (path: string, content: string, cursorPosition: { line: number; column: number }): void => {
      const file = files.getState().files[path];
      if (file === undefined) return;
      const { drafts, keep, drop } = useDrafts.getState();
      if (content === file.saved) drop(path);
      else keep(path, { text: content, base: drafts[path]?.base ?? markOf(file.saved) });
      tell({ type: "buffer:update", payload: { path, content, cursorPosition } });
    },
    /** Saves a file, unless the disk holds something that this window has not seen. */
    save: async (path: string): Promise<void> => {
      const draft = useDrafts.getState().drafts[path];
      if (draft === undefined || files.getState().files[path]?.saving !== null) return;
      try {
        await readDisk({ api }, path);
      } catch {
        // A file that is gone is written anew; a server that is gone is told of by the socket.
      }
      const now = useDrafts.getState().drafts[path];
      const file = files.getState().files[path];
      // Somebody else may have changed it; or it was saved or closed while the disk was looked at.
      if (now === undefined || file?.saving !== null || isStale(file.saved, now)) return;
      write(path, now.text);
    },
    /** Of two texts, the one in the editor counts. */
    keepMine: (path: string): void => {
      const file = files.getState().files[path];
      const draft = useDrafts.getState().drafts[path];
      if (file === undefined || draft === undefined) return;
      useDrafts.getState().keep(path, { text: draft.text, base: markOf(file.saved) });
      write(path, draft.text);
    },
    takeTheirs: (path: string): void => {
      useDrafts.getState().drop(path);
      files.getState().changeFile(path, { error: null });
    },
    toggleFolder: (path: string, isOpen: boolean): void => {
      files.getState().toggle(path, isOpen);
      tell({ type: isOpen ? "explorer:expand_dir" : "explorer:collapse_dir", payload: { path } });
    },
  };
}

function sessionActions(ask: Send<boolean>, tell: Send<void>) {
  return {
    startSession: (issueNumber: number | null, issueTitle: string | null): boolean =>
      ask({ type: "session:start", payload: { issueNumber, issueTitle } }),
    resumeSession: (sessionId: string): boolean => ask({ type: "session:resume", payload: { sessionId } }),
    endSession: (): void => {
      if (ask({ type: "session:end", payload: {}, id: ids.end })) useCoachSession.setState({ isEnding: true });
    },
    setHintLevel: (level: HintLevel): void => {
      const { level: previousLevel, chooseLevel } = useHints.getState();
      chooseLevel(level);
      tell({ type: "hints:level_change", payload: { level, previousLevel } });
    },
    mute: (muted: boolean): void => {
      if (ask({ type: "observer:mute", payload: { muted } })) useCoachSession.setState({ nudge: null });
    },
  };
}
