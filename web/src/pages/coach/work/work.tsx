/** The workspace: files, editor, coach, and the terminal below. */

import { LayoutDashboard, MessagesSquare } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { Link, useLocation } from "wouter";

import { coachStrings } from "../../../strings-coach";
import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useCoachActions } from "../state/actions";
import { useCatchUp } from "../state/catch-up";
import { useWarningBeforeLeaving } from "../state/drafts";
import { useFiles } from "../state/files";
import { useIdle } from "../state/idle";
import { useCoachSession } from "../state/session";
import { EditorPane } from "./editor/editor-pane";
import { FilesPane } from "./files/files-pane";
import { CoachToggle, FilesToggle } from "./layout/pane-toggles";
import { usePanes } from "./layout/panes";
import { WorkPanes } from "./layout/work-panes";
import { Announcer } from "./panel/announcer";
import { CoachPanel } from "./panel/coach-panel";
import { NudgeCard } from "./panel/nudge-card";
import { TerminalButton } from "./terminal/terminal-button";

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
