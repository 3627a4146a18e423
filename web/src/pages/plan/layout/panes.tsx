/** The parts of the page beside each other where there is room, and one at a time where there is not. */

import { clsx } from "clsx";
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { type Pane, PANES, useAddress } from "../address";
import { Separator } from "../../../ui/panes/separator";
import { DOCUMENT, type Room, useRoom, useSizes, WORKSPACE } from "../../../ui/panes/sizes";

const text = planStrings.panes;

interface PanesProps {
  workspace: ReactNode;
  chat: ReactNode;
  /** Null when no document is open. */
  document: ReactNode;
}

export function Panes({ workspace, chat, document }: PanesProps): ReactNode {
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
  return (
    <Tabs.Root
      value={pane}
      onValueChange={(chosen) => {
        address.go({ pane: chosen === "chat" ? null : chosen }, { replace: true });
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      {choices.length > 0 && <Choice choices={choices} />}
      <div
        ref={frame}
        data-pane="all"
        className="grid min-h-0 flex-1"
        style={{ gridTemplate: `minmax(0, 1fr) / ${columns(room, isWorkspaceShown, isSplit, sizes)}` }}
      >
        <PaneBox name="workspace" isShown={isWorkspaceShown} isChoice={choices.includes("workspace")}>
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
        <PaneBox name="chat" isShown={isSplit || pane === "chat"} isChoice={choices.includes("chat")}>
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
        <PaneBox name="document" isShown={isSplit || pane === "document"} isChoice={choices.includes("document")}>
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

function Choice({ choices }: { choices: Pane[] }): ReactNode {
  return (
    <Tabs.List
      data-unprinted
      aria-label={text.label}
      className="flex gap-1 border-b border-line max-lg:sticky max-lg:top-16 max-lg:z-10 max-lg:-mx-4 max-lg:bg-paper max-lg:px-4 lg:px-4"
    >
      {choices.map((name) => (
        <Tabs.Trigger
          key={name}
          value={name}
          className={
            "-mb-px min-h-11 border-b-3 border-transparent px-3 font-semibold text-ink-soft transition-colors sm:px-4 " +
            "hover:text-accent data-[state=active]:border-accent data-[state=active]:text-accent"
          }
        >
          {text[name]}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

interface PaneBoxProps {
  name: Pane;
  isShown: boolean;
  isChoice: boolean;
  children: ReactNode;
}

/** A pane that is not shown stays as it is: its scroll, its editor, its half-written answers. */
function PaneBox({ name, isShown, isChoice, children }: PaneBoxProps): ReactNode {
  const asRegion = { role: "region", "aria-labelledby": undefined, "aria-label": text[name] };
  return (
    <Tabs.Content
      value={name}
      forceMount
      // Not `hidden`: nothing could show it again on paper.
      style={isShown ? undefined : { display: "none" }}
      data-pane={name}
      data-unprinted={name === "document" ? undefined : true}
      {...(isChoice ? {} : asRegion)}
      className={clsx("relative min-h-0 min-w-0 -outline-offset-3 lg:overflow-auto", name === "document" && "lg:bg-card")}
    >
      {children}
    </Tabs.Content>
  );
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
