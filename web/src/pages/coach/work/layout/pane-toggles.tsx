/** Puts the panels at the sides away and brings them back; each stays as it was left. */

import { PanelLeftClose, PanelLeftOpen, PanelRightClose, PanelRightOpen } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { IconButton } from "../../../../ui/button";
import { useRoom } from "../../../../ui/panes/sizes";
import { usePanes } from "./panes";

const text = coachStrings.work;

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
