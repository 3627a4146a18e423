/** What belongs to no page: the keyboard help, and the way out where there is a passcode. */

import { Keyboard, LogOut } from "lucide-react";
import type { ReactNode } from "react";

import { useSession, useSignOut } from "../api/hooks";
import { useOverlay } from "../keyboard/overlay";
import { strings } from "../strings";
import { BoardButton } from "./board-button";

export function BoardActions(): ReactNode {
  const show = useOverlay((overlay) => overlay.show);
  return (
    <div className="flex flex-col gap-1">
      <BoardButton
        onClick={() => {
          show("shortcuts");
        }}
      >
        <Keyboard aria-hidden className="size-5" />
        {strings.shortcuts.title}
      </BoardButton>
      <SignOutButton />
    </div>
  );
}

function SignOutButton(): ReactNode {
  const session = useSession();
  const signOut = useSignOut();
  if (session.data?.required !== true) return null;
  return (
    <BoardButton
      disabled={signOut.isPending}
      onClick={() => {
        signOut.mutate();
      }}
    >
      <LogOut aria-hidden className="size-5" />
      {strings.signIn.signOut}
    </BoardButton>
  );
}
