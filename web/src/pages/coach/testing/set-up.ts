/** What tests of the coach's pages need around them: their parts fetched, no leftovers. */

// Fetched before a test begins: while one runs, that would take longer than it waits for anything.
import "../coach-pages";

import type { FakeWorld } from "../../../testing/fake-world";
import { useDrafts, useFiles } from "../state/files";
import { useHints } from "../state/hints";
import { useCoachSession } from "../state/session";
import { useDashboard, useKata, useLink, useQuestions, useTerminal } from "../state/stores";

/** Leaves nothing of one test for the next. */
export function cleanUp(): void {
  useDashboard.setState(useDashboard.getInitialState(), true);
  useDrafts.setState(useDrafts.getInitialState(), true);
  useFiles.setState(useFiles.getInitialState(), true);
  useHints.setState(useHints.getInitialState(), true);
  useKata.setState(useKata.getInitialState(), true);
  useLink.setState(useLink.getInitialState(), true);
  useQuestions.setState(useQuestions.getInitialState(), true);
  useCoachSession.setState(useCoachSession.getInitialState(), true);
  useTerminal.setState(useTerminal.getInitialState(), true);
  sessionStorage.clear();
}

/** What the app sent of one type, oldest first. */
export function sent(world: FakeWorld, type: string): unknown[] {
  return world.socket.sent.flatMap((text) => {
    const frame = JSON.parse(text) as { type: string; payload: unknown };
    return frame.type === type ? [frame.payload] : [];
  });
}
