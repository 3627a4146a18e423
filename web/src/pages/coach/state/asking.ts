/** Frames that are answered: their ids, and what becomes of one that is refused. */

import { useFiles } from "./files";
import { useCoachSession } from "./session";
import { useDashboard, useKata, useQuestions, useTerminal } from "./stores";

export const ids = {
  open: (path: string) => `open ${path}`,
  save: (path: string) => `save ${path}`,
  explain: "explain",
  review: "review",
  dashboard: "dashboard",
  end: "end",
  terminal: "terminal",
  kata: (kata: string) => `kata ${kata}`,
  submit: (kata: string) => `submit ${kata}`,
};

const lines = new Map<string, number>();

/** Remembers the line to go to once a file is there. */
export function wantLine(path: string, line: number | null): void {
  if (line === null) lines.delete(path);
  else lines.set(path, line);
}

export function wantedLine(path: string): number | null {
  const line = lines.get(path) ?? null;
  lines.delete(path);
  return line;
}

/** A question was refused: whoever asked says so. */
export function takeRefusal(id: string, message: string, context: Record<string, unknown> | null): void {
  const hint = typeof context?.hint === "string" ? context.hint : null;
  const failed = { state: "failed", message, hint } as const;
  const [kind = "", ...rest] = id.split(" ");
  const about = rest.join(" ");
  switch (kind) {
    case "open":
      useFiles.getState().fail(about, message, hint);
      return;
    case "save":
      useFiles.getState().changeFile(about, { saving: null, error: hint === null ? message : `${message}. ${hint}` });
      return;
    case ids.explain:
      useQuestions.setState({ explanation: failed });
      return;
    case ids.review:
      useQuestions.setState({ review: failed });
      return;
    case ids.dashboard:
      useDashboard.setState({ failed: { message, hint }, issues: failed, materials: failed });
      return;
    case ids.end:
      useCoachSession.setState({ isEnding: false });
      return;
    case ids.terminal:
      useTerminal.setState({ refused: { message, hint } });
      return;
    case "kata":
      useKata.setState({ loaded: failed });
      return;
    case "submit":
      useKata.setState({ submitted: failed });
      return;
    default:
  }
}
