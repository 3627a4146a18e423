/** Whether the observer watches, and whether it may speak. */

import { Eye, EyeOff, VolumeX } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useCoachActions } from "../../state/actions";
import { useCoachSession } from "../../state/session";
import { PanelSection, SmallButton } from "./panel-section";

const text = coachStrings.observer;

export function Observer(): ReactNode {
  const { active, muted } = useCoachSession((session) => session.observer);
  const { mute } = useCoachActions();
  const Icon = !active ? EyeOff : muted ? VolumeX : Eye;
  return (
    <PanelSection
      title={text.heading}
      aside={
        active && (
          <SmallButton
            onClick={() => {
              mute(!muted);
            }}
          >
            {muted ? text.unmute : text.mute}
          </SmallButton>
        )
      }
    >
      <p role="status" className="flex items-center gap-2 text-base text-ink-soft">
        <Icon aria-hidden className="size-4 shrink-0" />
        {!active ? text.off : muted ? text.muted : text.watching}
      </p>
    </PanelSection>
  );
}
