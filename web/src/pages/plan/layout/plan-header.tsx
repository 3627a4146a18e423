/** What stands beside the heading of the page: the workspace's switch, and the way to a new request. */

import { PanelLeftClose, PanelLeftOpen, Plus } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button, IconButton } from "../../../ui/button";
import { useAddress } from "../address";
import { focusComposer } from "../chat/focus";
import { useRoom, useSizes } from "../../../ui/panes/sizes";

export function NewRequestButton(): ReactNode {
  const { session, openSession } = useAddress();
  return (
    <Button
      look="quiet"
      className="ml-auto"
      disabled={session === null}
      onClick={() => {
        openSession(null);
        focusComposer();
      }}
    >
      <Plus aria-hidden className="size-4" />
      {planStrings.sessions.new}
    </Button>
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
