/** The workspace: files, editor, coach, and the terminal below. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { LayoutDashboard, MessagesSquare } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { useStore } from "zustand";

import { type Services, useServices } from "../../../services";
import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { CoachOverview } from "../../../wire/generated";
import { useCoachActions } from "../state/actions";
import { useFiles, useWarningBeforeLeaving } from "../state/files";
import { useHints } from "../state/hints";
import { activePhase, useCoachSession } from "../state/session";
import { useLink } from "../state/stores";
import { coachStrings } from "../strings";
import { CoachPanel } from "./coach-panel";
import { EditorPane, TerminalButton } from "./editor-pane";
import { FilesPane } from "./files-pane";
import { Announcer, NudgeCard } from "./nudge-card";
import { CoachToggle, FilesToggle, usePanes, WorkPanes } from "./panes";

const text = coachStrings.work;

export function Work(): ReactNode {
  const overview = useCatchUp();
  useWarningBeforeLeaving();
  if (overview.data === undefined) {
    if (overview.isError) {
      return (
        <div className="px-5">
          <QueryError title={text.failed} query={overview} />
        </div>
      );
    }
    return (
      <Loading label={text.loading}>
        <Skeleton className="m-6 h-96" />
      </Loading>
    );
  }
  if (overview.data.project === null) {
    return (
      <div className="m-6 max-w-2xl rounded-lg border border-line bg-card p-5">
        <h2 className="text-xl">{text.noProject}</h2>
        <Marked className="mt-2 block" text={text.noProjectHint} />
        <DashboardLink className="mt-3" />
      </div>
    );
  }
  return <Desk />;
}

function Desk(): ReactNode {
  useIdle();
  useAddressedFile();
  useWrapUpAtEnd();
  useFrontPane();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 border-line max-lg:pb-2 lg:border-b lg:px-3 lg:py-1.5">
        <FilesToggle />
        <p aria-hidden className="flex shrink-0 items-center gap-2.5 font-heading text-xl font-semibold sm:text-2xl">
          <MessagesSquare className="size-6 shrink-0 text-door-ink max-sm:hidden" />
          {text.panes.coach}
        </p>
        <TerminalButton />
        <DashboardLink className="" />
        <CoachToggle />
      </div>
      <WorkPanes
        files={<FilesPane />}
        editor={<EditorPane />}
        coach={(withNudge) => <CoachPanel withNudge={withNudge} />}
        nudge={<NudgeCard />}
      />
      <Announcer />
    </>
  );
}

function DashboardLink({ className }: { className: string }): ReactNode {
  return (
    <Link href="/coach" className={`inline-flex min-h-11 items-center gap-2 font-semibold text-accent underline-offset-4 hover:underline ${className}`}>
      <LayoutDashboard aria-hidden className="size-4" />
      {text.toDashboard}
    </Link>
  );
}

/** A link may name a file, and a line of it. */
function useAddressedFile(): void {
  const { openFile } = useCoachActions();
  const hasTree = useFiles((files) => files.tree !== null);
  useEffect(() => {
    if (!hasTree) return;
    const asked = new URLSearchParams(window.location.search);
    const path = asked.get("file");
    if (path === null) return;
    window.history.replaceState(window.history.state, "", window.location.pathname);
    openFile(path, Number(asked.get("line")) || null);
  }, [hasTree, openFile]);
}

/** When the session is over, what was learnt is shown. */
function useWrapUpAtEnd(): void {
  const [, navigate] = useLocation();
  useEffect(
    () =>
      useCoachSession.subscribe((now, before) => {
        if (before.isEnding && now.ended !== null && now.ended !== before.ended) navigate("/coach/wrap-up");
      }),
    [navigate],
  );
}

/** Where only one part has room, a file that is opened comes to the front. */
function useFrontPane(): void {
  useEffect(
    () =>
      useFiles.subscribe((now, before) => {
        if (now.current !== before.current && now.current !== null) usePanes.getState().show("editor");
        if (now.goTo !== before.goTo || now.opening !== before.opening) usePanes.getState().show("editor");
      }),
    [],
  );
}

// Reads where the person is when the workspace is opened, and again after every break of the connection.

const COACH_KEY = ["coach", "overview"] as const;

function useCatchUp(): UseQueryResult<CoachOverview> {
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

// Tells the server when nothing has been done for a while, and when the person is back.

const IDLE_MS = 60_000;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel"] as const;

function useIdle(): void {
  const { connection } = useServices();
  useEffect(() => {
    let isIdle = false;
    let last = Date.now();
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isIdle = connection.send({ type: "user:idle_start", payload: { lastActionTimestamp: last } });
      }, IDLE_MS);
    };
    const note = (): void => {
      last = Date.now();
      if (isIdle) connection.send({ type: "user:idle_end", payload: {} });
      isIdle = false;
      wait();
    };
    wait();
    for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, note);
    };
  }, [connection]);
}
