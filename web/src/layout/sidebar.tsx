/** The board beside every page on wide screens: where to go, and what belongs to no page. */

import { Keyboard, LogOut } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

import { useSession, useSignOut } from "../api/hooks";
import { useOverlay } from "../keyboard/overlay";
import { strings } from "../strings";
import { Brand } from "./brand";
import { NavigationLinks } from "./navigation";

export function Sidebar(): ReactNode {
  const show = useOverlay((overlay) => overlay.show);
  return (
    <nav aria-label={strings.navigation} className="on-board hidden w-56 shrink-0 bg-board text-board-ink md:block">
      <div className="sticky top-0 flex h-dvh flex-col overflow-auto p-4">
        <div className="px-3 pt-1 pb-7">
          <Brand />
        </div>
        <NavigationLinks place="side" />
        <div className="mt-auto flex flex-col gap-1 border-t border-board-raised pt-3">
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
      </div>
    </nav>
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

function BoardButton(props: ComponentProps<"button">): ReactNode {
  return (
    <button
      type="button"
      {...props}
      className="flex min-h-11 items-center gap-3 rounded-md px-3 text-left text-base text-board-ink-soft transition-colors hover:bg-board-raised hover:text-board-ink"
    />
  );
}
