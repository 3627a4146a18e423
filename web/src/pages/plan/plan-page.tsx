/** What the Plan page is made of: the workspace, the conversation, and the document that is open. */

import "./plan.css";

import { useQueryClient } from "@tanstack/react-query";
import { PanelLeftClose, PanelLeftOpen, Plus, TextSearch } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";

import { useServices } from "../../services";
import { Button, IconButton } from "../../ui/button";
import { MarkdownLinksContext } from "../../ui/markdown";
import { PaneBox, PaneTabs, Separator } from "../../ui/panes/pane-tabs";
import { DOCUMENT, type Room, useRoom, useSizes, WORKSPACE } from "../../ui/panes/sizes";
import { type Pane, PANES, useAddress } from "./address";
import { PLAN_KEY, takeInFile, takeInRun, transcriptKey, useLive } from "./cache";
import { ChatPane } from "./chat/chat-pane";
import { openFind } from "./chat/find-bar";
import { focusComposer } from "./chat/focus";
import { DocumentPane } from "./document/document-pane";
import { useWarningBeforeLeaving } from "./hooks";
import { planStrings } from "./strings";
import { WorkspacePane } from "./workspace";

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

/** What a session says is asked for again this long after new words began, or words were missed. */
const WORDS_REST_MS = 250;
/** And after a tool was used, which is shown by itself: once for all tools of that moment. */
const TOOLS_REST_MS = 1500;

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
      connection.subscribe("plan:run", ({ payload, timestamp }) => {
        takeInRun(queries, payload, timestamp);
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
    const readAgain = (inMs = WORDS_REST_MS): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void queries.invalidateQueries({ queryKey: transcriptKey(session) }), inMs);
    };
    const stops = [
      connection.subscribe("plan:delta", ({ payload }) => {
        const isNewStep = useLive.getState().writings[payload.run]?.step !== payload.step;
        if (!useLive.getState().takeDelta(payload) || isNewStep) readAgain();
      }),
      connection.subscribe("plan:step", ({ payload }) => {
        useLive.getState().takeStep(payload);
        readAgain(TOOLS_REST_MS);
      }),
      // It is read then anyway.
      connection.subscribe("plan:run", ({ payload }) => {
        if (payload.state !== "running") clearTimeout(timer);
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

// The parts of the page beside each other where there is room, and one at a time where there is not.

const text = planStrings.panes;

interface PanesProps {
  workspace: ReactNode;
  chat: ReactNode;
  /** Null when no document is open. */
  document: ReactNode;
}

function Panes({ workspace, chat, document }: PanesProps): ReactNode {
  const address = useAddress();
  const room = useRoom();
  const frame = useRef<HTMLDivElement>(null);
  const sizes = useSizes();
  const choices = choicesIn(room, document !== null);
  const pane = choices.find((choice) => choice === address.pane) ?? "chat";
  const isWorkspaceShown = room === "narrow" ? pane === "workspace" : !sizes.isWorkspaceHidden;
  const isSplit = room === "wide" && document !== null;
  usePlaces(pane, room);
  const shareAt = (x: number): number => {
    const { right, width } = frame.current?.getBoundingClientRect() ?? { right: x, width: 1 };
    return (100 * (right - x)) / (width - (isWorkspaceShown ? sizes.workspace : 0));
  };
  const box = (name: Pane, isShown: boolean) => ({
    name,
    label: text[name],
    isShown,
    isChoice: choices.includes(name),
    className: name === "document" ? "lg:overflow-auto lg:bg-card" : "lg:overflow-auto",
  });
  return (
    <Tabs.Root
      value={pane}
      onValueChange={(chosen) => {
        address.go({ pane: chosen === "chat" ? null : chosen }, { replace: true });
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      {choices.length > 0 && <PaneTabs label={text.label} panes={choices.map((name) => [name, text[name]])} />}
      <div
        ref={frame}
        data-pane="all"
        className="grid min-h-0 flex-1"
        style={{ gridTemplate: `minmax(0, 1fr) / ${columns(room, isWorkspaceShown, isSplit, sizes)}` }}
      >
        <PaneBox {...box("workspace", isWorkspaceShown)}>
          {workspace}
        </PaneBox>
        {isWorkspaceShown && room !== "narrow" && (
          <Separator
            label={text.resizeWorkspace}
            value={sizes.workspace}
            {...WORKSPACE}
            direction={1}
            valueAt={(x) => x - (frame.current?.getBoundingClientRect().left ?? 0)}
            onChange={sizes.setWorkspace}
          />
        )}
        <PaneBox {...box("chat", isSplit || pane === "chat")}>
          {chat}
        </PaneBox>
        {isSplit && (
          <Separator
            label={text.resizeDocument}
            value={sizes.document}
            {...DOCUMENT}
            direction={-1}
            valueAt={shareAt}
            onChange={sizes.setDocument}
          />
        )}
        <PaneBox {...box("document", isSplit || pane === "document")} isPrinted>
          {document}
        </PaneBox>
      </div>
    </Tabs.Root>
  );
}

/** What one has to choose from, because not everything has room. */
function choicesIn(room: Room, hasDocument: boolean): Pane[] {
  if (room === "wide" || (room === "middle" && !hasDocument)) return [];
  return PANES.filter((name) => (name !== "workspace" || room === "narrow") && (name !== "document" || hasDocument));
}

function columns(
  room: Room,
  isWorkspaceShown: boolean,
  isSplit: boolean,
  { workspace, document }: { workspace: number; document: number },
): string {
  if (room === "narrow") return "minmax(0, 1fr)";
  const left = isWorkspaceShown ? `${workspace}px 1px ` : "";
  const right = isSplit ? `minmax(0, ${100 - document}fr) 1px minmax(0, ${document}fr)` : "minmax(0, 1fr)";
  return left + right;
}

/** Where the window itself scrolls, every pane comes back at the place where it was left. */
function usePlaces(pane: Pane, room: Room): void {
  const places = useRef<Partial<Record<Pane, number>>>({});
  const before = useRef(pane);
  useEffect(() => {
    if (room !== "narrow") return;
    if (before.current !== pane) window.scrollTo(0, places.current[pane] ?? 0);
    before.current = pane;
    const note = (): void => {
      places.current[pane] = window.scrollY;
    };
    window.addEventListener("scroll", note);
    return () => {
      window.removeEventListener("scroll", note);
    };
  }, [pane, room]);
}

/** What stands beside the heading: the workspace's switch, the search of the session, the way to a new request. */
export function NewRequestButton(): ReactNode {
  const { session, openSession } = useAddress();
  return (
    <>
      {session !== null && (
        <IconButton
          label={planStrings.find.open}
          aria-keyshortcuts="Control+F"
          className="ml-auto text-ink-soft hover:bg-line hover:text-ink"
          onClick={() => {
            openFind(session);
          }}
        >
          <TextSearch aria-hidden className="size-5" />
        </IconButton>
      )}
      <Button
        look="quiet"
        className={session === null ? "ml-auto" : ""}
        disabled={session === null}
        onClick={() => {
          openSession(null);
          focusComposer();
        }}
      >
        <Plus aria-hidden className="size-4" />
        {planStrings.sessions.new}
      </Button>
    </>
  );
}

export function WorkspaceToggle(): ReactNode {
  const room = useRoom();
  const { isWorkspaceHidden, hideWorkspace } = useSizes();
  if (room === "narrow") return null;
  const Icon = isWorkspaceHidden ? PanelLeftOpen : PanelLeftClose;
  return (
    <IconButton
      label={isWorkspaceHidden ? planStrings.panes.show : planStrings.panes.hide}
      aria-expanded={!isWorkspaceHidden}
      onClick={() => {
        hideWorkspace(!isWorkspaceHidden);
      }}
    >
      <Icon aria-hidden className="size-5" />
    </IconButton>
  );
}
