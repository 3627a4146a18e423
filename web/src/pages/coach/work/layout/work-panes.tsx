/** Files, editor and coach beside each other where there is room, and one at a time where there is not. */

import { Tabs } from "radix-ui";
import { type ReactNode, useRef } from "react";

import { coachStrings } from "../../../../strings-coach";
import { PaneBox, PaneTabs } from "../../../../ui/panes/pane-tabs";
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
  const { pane, filesWidth, coachWidth, isFilesHidden, isCoachHidden, show, setFiles, setCoach } = usePanes();
  const frame = useRef<HTMLDivElement>(null);
  const choices = choicesIn(room);
  const shown = choices.includes(pane) ? pane : "editor";
  const isWide = room === "wide";
  const hasFiles = room !== "narrow" && !isFilesHidden;
  const hasCoach = isWide && !isCoachHidden;
  const edges = (): { left: number; right: number } => frame.current?.getBoundingClientRect() ?? { left: 0, right: 0 };
  const box = (name: Pane, isShown: boolean) => ({
    name,
    label: text.panes[name],
    isShown,
    isChoice: choices.includes(name),
    className: name === "coach" ? "lg:overflow-auto lg:bg-card" : "lg:overflow-hidden",
  });
  return (
    <Tabs.Root
      value={shown}
      onValueChange={(chosen) => {
        show(PANES.find((name) => name === chosen) ?? "editor");
      }}
      className="flex min-h-0 flex-1 flex-col"
    >
      {!hasCoach && (
        <div data-nudge className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-16 max-lg:z-20 max-lg:shadow-lg md:max-lg:bottom-0 md:max-lg:left-56">
          {nudge}
        </div>
      )}
      {choices.length > 0 && <PaneTabs label={text.panes.label} panes={choices.map((name) => [name, text.panes[name]])} />}
      <div ref={frame} className="grid min-h-0 flex-1" style={{ gridTemplate: template(room, hasFiles ? filesWidth : null, hasCoach ? coachWidth : null) }}>
        <PaneBox {...box("files", room === "narrow" ? shown === "files" : hasFiles)}>
          {files}
        </PaneBox>
        {hasFiles && (
          <Separator
            label={text.resizeFiles}
            value={filesWidth}
            {...FILES}
            direction={1}
            valueAt={(x) => x - edges().left}
            onChange={setFiles}
          />
        )}
        <PaneBox {...box("editor", isWide || shown === "editor")}>
          {editor}
        </PaneBox>
        {hasCoach && (
          <Separator
            label={text.resizeCoach}
            value={coachWidth}
            {...COACH}
            direction={-1}
            valueAt={(x) => edges().right - x}
            onChange={setCoach}
          />
        )}
        <PaneBox {...box("coach", isWide ? hasCoach : shown === "coach")}>
          {coach(hasCoach)}
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

/** Null where one is put away. */
function template(room: Room, files: number | null, coach: number | null): string {
  const middle = "minmax(0, 1fr)";
  const left = room === "narrow" || files === null ? "" : `${files}px 1px `;
  return `${middle} / ${left}${middle}${coach === null ? "" : ` 1px ${coach}px`}`;
}
