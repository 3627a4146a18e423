/** Reads where the person is when the workspace is opened, and again after every break of the connection. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";

import { type Services, useServices } from "../../../services";
import type { CoachOverview } from "../../../wire/generated";
import { useFiles } from "./files";
import { useHints } from "./hints";
import { useLink } from "./link";
import { activePhase, useCoachSession } from "./session";

export const COACH_KEY = ["coach", "overview"] as const;

export function useCatchUp(): UseQueryResult<CoachOverview> {
  const services = useServices();
  const isOpen = useStore(services.connectionState, ({ name }) => name === "open");
  const time = useLink((link) => link.time);
  const overview = useQuery({
    queryKey: [...COACH_KEY, time],
    queryFn: () => services.api.coach.overview(),
    staleTime: 0,
    refetchOnWindowFocus: false,
    // While it is read again after a break, the page stays as it is.
    placeholderData: keepPreviousData,
  });
  const { data, isPlaceholderData, isFetching } = overview;
  useEffect(() => {
    if (isOpen && data !== undefined && !isPlaceholderData && !isFetching) catchUp(services, data);
  }, [services, isOpen, data, isPlaceholderData, isFetching]);
  return overview;
}

function catchUp({ connection, api }: Services, { project, session, plan, phases, openFiles, observer }: CoachOverview): void {
  if (project === null) return;
  connection.send({ type: "fs:request_tree", payload: {} });
  void readOpenFiles({ api }, openFiles);
  const store = useCoachSession.getState();
  if (useLink.getState().isFresh) return;
  if (session === null) {
    store.leave();
    return;
  }
  const { issueNumber: number, issueTitle: title } = session;
  const issue = title === null && number === null ? null : { number, title: title ?? "", summary: "", labels: [], url: null };
  store.begin({ id: session.id, issue, phases, startedAt: session.startedAt });
  useCoachSession.setState({
    observer,
    memoryConnection: plan?.memoryConnection ?? null,
    difficulty: plan?.estimatedDifficulty ?? null,
  });
  const phase = activePhase(phases);
  if (phase !== null) useHints.getState().takeLevel(phase.hintLevel);
  // Highlights are sent again only to someone who goes on with the session.
  connection.send({ type: "session:resume", payload: { sessionId: session.id } });
  if (observer.muted) connection.send({ type: "observer:mute", payload: { muted: true } });
}

/** Brings back the tabs, as the disk has them; nothing is opened anew for anyone. */
async function readOpenFiles({ api }: Pick<Services, "api">, paths: readonly string[]): Promise<void> {
  const wanted = [...new Set([...paths, ...useFiles.getState().tabs])];
  for (const path of wanted) {
    const content = await api.coach.file(path).catch(() => null);
    if (content !== null) useFiles.getState().takeContent(content, false);
  }
}
