/** Files, editor and coach beside each other where there is room, and one at a time where there is not. */

import { clsx } from "clsx";
import { Tabs } from "radix-ui";
import { type ReactNode, useRef } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Separator } from "../../../../ui/panes/separator";
import { type Room, useRoom } from "../../../../ui/panes/sizes";
import { COACH, FILES, type Pane, PANES, usePanes } from "./panes";

const text = coachStrings.work;

interface WorkPanesProps {
  files: ReactNode;
  editor: ReactNode;
  coach: (withNudge: boolean) => ReactNode;
  /** What stays in sight where the coach may not be. */
  nudge: ReactNode;
}

export function WorkPanes({ files, editor, coach, nudge }: WorkPanesProps): ReactNode {
  const room = useRoom();
  const { pane, filesWidth, coachWidth, show, setFiles, setCoach } = usePanes();
  const frame = useRef<HTMLDivElement>(null);
  const choices = choicesIn(room);
  const shown = choices.includes(pane) ? pane : "editor";
  const isWide = room === "wide";
  const edges = (): { left: number; right: number } => frame.current?.getBoundingClientRect() ?? { left: 0, right: 0 };
  return (
    <Tabs.Root
      value={shown}
      onValueChange={(chosen) => {
        show(PANES.find((name) => name === chosen) ?? "editor");
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      {!isWide && (
        <div data-nudge className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-16 max-lg:z-20 max-lg:shadow-lg md:max-lg:bottom-0 md:max-lg:left-56">
          {nudge}
        </div>
      )}
      {choices.length > 0 && <Choice choices={choices} />}
      <div ref={frame} className="grid min-h-0 flex-1" style={{ gridTemplate: template(room, filesWidth, coachWidth) }}>
        <PaneBox name="files" isShown={room !== "narrow" || shown === "files"} isChoice={choices.includes("files")}>
          {files}
        </PaneBox>
        {room !== "narrow" && (
          <Separator
            label={text.resizeFiles}
            value={filesWidth}
            {...FILES}
            direction={1}
            valueAt={(x) => x - edges().left}
            onChange={setFiles}
          />
        )}
        <PaneBox name="editor" isShown={isWide || shown === "editor"} isChoice={choices.includes("editor")}>
          {editor}
        </PaneBox>
        {isWide && (
          <Separator
            label={text.resizeCoach}
            value={coachWidth}
            {...COACH}
            direction={-1}
            valueAt={(x) => edges().right - x}
            onChange={setCoach}
          />
        )}
        <PaneBox name="coach" isShown={isWide || shown === "coach"} isChoice={choices.includes("coach")}>
          {coach(isWide)}
        </PaneBox>
      </div>
    </Tabs.Root>
  );
}

/** What one has to choose from, because not everything has room. */
function choicesIn(room: Room): Pane[] {
  if (room === "wide") return [];
  return PANES.filter((name) => room === "narrow" || name !== "files");
}

function template(room: Room, files: number, coach: number): string {
  const rows = "minmax(0, 1fr) / ";
  if (room === "narrow") return `${rows}minmax(0, 1fr)`;
  const left = `${files}px 1px minmax(0, 1fr)`;
  return rows + (room === "wide" ? `${left} 1px ${coach}px` : left);
}

function Choice({ choices }: { choices: Pane[] }): ReactNode {
  return (
    <Tabs.List
      aria-label={text.panes.label}
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
          {text.panes[name]}
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

/** A pane that is not shown stays as it is: its scroll, its editor, its terminal. */
function PaneBox({ name, isShown, isChoice, children }: PaneBoxProps): ReactNode {
  const asRegion = { role: "region", "aria-labelledby": undefined, "aria-label": text.panes[name], tabIndex: undefined };
  return (
    <Tabs.Content
      value={name}
      forceMount
      style={isShown ? undefined : { display: "none" }}
      {...(isChoice ? {} : asRegion)}
      className={clsx("min-h-0 min-w-0 -outline-offset-3", name === "coach" ? "lg:overflow-auto lg:bg-card" : "lg:overflow-hidden")}
    >
      {children}
    </Tabs.Content>
  );
}
