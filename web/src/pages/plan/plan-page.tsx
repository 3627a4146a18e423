/** What the Plan page is made of: the workspace, the conversation, and the document that is open. */

import "./plan.css";

import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";

import { useServices } from "../../services";
import { MarkdownLinksContext } from "../../ui/markdown";
import { useAddress } from "./address";
import { PLAN_KEY, takeInFile, takeInRun, transcriptKey } from "./cache";
import { ChatPane } from "./chat/chat-pane";
import { DocumentPane } from "./document/document-pane";
import { useWarningBeforeLeaving } from "./document/file-drafts";
import { useLive } from "./live";
import { Panes } from "./panes";
import { WorkspacePane } from "./workspace";

export { NewRequestButton, WorkspaceToggle } from "./panes";

export function PlanPage(): ReactNode {
  const address = useAddress();
  const { session, file, lesson, lines } = address;
  usePlanNews(session);
  useWarningBeforeLeaving();
  const hasDocument = file !== null || lesson !== null || lines !== null;
  return (
    <MarkdownLinksContext value={address}>
      <Panes
        workspace={<WorkspacePane />}
        chat={<ChatPane key={session} session={session} />}
        document={hasDocument ? <DocumentPane /> : null}
      />
    </MarkdownLinksContext>
  );
}

/** What a session says is asked for again this long after a tool was used, and once for all tools of that moment. */
const REST_MS = 250;

/** Keeps the page in step with the server: what changed is read again, what is written is shown at once. */
function usePlanNews(session: string | null): void {
  const queries = useQueryClient();
  const { connection, connectionState } = useServices();

  // While the page was away nobody listened for it.
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: PLAN_KEY, predicate: ({ queryKey: [, kind] }) => kind !== "runs" });
  }, [queries]);

  useEffect(() => {
    const stops = [
      connection.subscribe("plan:run", () => {
        takeInRun(queries);
      }),
      connection.subscribe("plan:file", ({ payload }) => {
        takeInFile(queries, payload);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [queries, connection]);

  useEffect(() => {
    if (session === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readAgain = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: transcriptKey(session) }), REST_MS);
    };
    const stops = [
      connection.subscribe("plan:delta", ({ payload }) => {
        const isNewStep = useLive.getState().writings[payload.run]?.step !== payload.step;
        if (!useLive.getState().takeDelta(payload) || isNewStep) readAgain();
      }),
      connection.subscribe("plan:step", ({ payload }) => {
        useLive.getState().takeStep(payload);
        readAgain();
      }),
      // Passing messages are not sent again after a break.
      connectionState.subscribe((state, before) => {
        if (state.name === "open" && before.name !== "open") readAgain();
      }),
    ];
    return () => {
      clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [queries, connection, connectionState, session]);
}
