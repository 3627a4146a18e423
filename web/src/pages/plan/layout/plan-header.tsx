/** What stands beside the heading: the workspace's switch, the search of the session, the way to a new request. */

import { PanelLeftClose, PanelLeftOpen, Plus, TextSearch } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button, IconButton } from "../../../ui/button";
import { useAddress } from "../address";
import { openFind } from "../chat/find/find-box";
import { focusComposer } from "../chat/focus";
import { useRoom, useSizes } from "../../../ui/panes/sizes";

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
