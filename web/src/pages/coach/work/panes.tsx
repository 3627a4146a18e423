/** Files, editor and coach beside each other where there is room, and one at a time where there is not. */

import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from "lucide-react";
import { Tabs } from "radix-ui";
import { type ReactNode, useRef } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";

import { IconButton } from "../../../ui/button";
import { PaneBox, PaneTabs, Separator } from "../../../ui/panes/pane-tabs";
import { type Room, useRoom, within } from "../../../ui/panes/sizes";
import { coachStrings } from "../strings";

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

/** Puts the panels at the sides away and brings them back; each stays as it was left. */
export function FilesToggle(): ReactNode {
  const isNarrow = useRoom() === "narrow";
  const { isFilesHidden, hideFiles } = usePanes();
  if (isNarrow) return null;
  const Icon = isFilesHidden ? PanelLeftOpen : PanelLeftClose;
  return (
    <IconButton
      label={isFilesHidden ? text.showFiles : text.hideFiles}
      aria-expanded={!isFilesHidden}
      onClick={() => {
        hideFiles(!isFilesHidden);
      }}
    >
      <Icon aria-hidden className="size-5" />
    </IconButton>
  );
}

export function CoachToggle(): ReactNode {
  const isWide = useRoom() === "wide";
  const { isCoachHidden, hideCoach } = usePanes();
  if (!isWide) return null;
  const Icon = isCoachHidden ? PanelRightOpen : PanelRightClose;
  return (
    <IconButton
      label={isCoachHidden ? text.showCoach : text.hideCoach}
      aria-expanded={!isCoachHidden}
      onClick={() => {
        hideCoach(!isCoachHidden);
      }}
    >
      <Icon aria-hidden className="size-5" />
    </IconButton>
  );
}

// How the parts of the workspace share the window, as this browser was told.

const PANES = ["files", "editor", "coach"] as const;
type Pane = (typeof PANES)[number];

const FILES = { least: 160, most: 420, usual: 232, step: 16 };
const COACH = { least: 260, most: 560, usual: 324, step: 16 };

interface PanesStore {
  pane: Pane;
  filesWidth: number;
  coachWidth: number;
  /** Only where it has room beside the others; elsewhere one chooses. */
  isFilesHidden: boolean;
  isCoachHidden: boolean;
  show: (pane: Pane) => void;
  setFiles: (width: number) => void;
  setCoach: (width: number) => void;
  hideFiles: (isHidden: boolean) => void;
  hideCoach: (isHidden: boolean) => void;
}

export const usePanes = create<PanesStore>()(
  persist(
    (set) => ({
      pane: "coach",
      filesWidth: FILES.usual,
      coachWidth: COACH.usual,
      isFilesHidden: false,
      isCoachHidden: false,
      show: (pane) => {
        // What is asked for is shown, also when it was put away before.
        set(pane === "coach" ? { pane, isCoachHidden: false } : { pane });
      },
      setFiles: (width) => {
        set({ filesWidth: within(width, FILES) });
      },
      setCoach: (width) => {
        set({ coachWidth: within(width, COACH) });
      },
      hideFiles: (isFilesHidden) => {
        set({ isFilesHidden });
      },
      hideCoach: (isCoachHidden) => {
        set({ isCoachHidden });
      },
    }),
    {
      name: "paige-coach-panes",
      partialize: ({ filesWidth, coachWidth, isFilesHidden, isCoachHidden }) => ({
        filesWidth,
        coachWidth,
        isFilesHidden,
        isCoachHidden,
      }),
    },
  ),
);
