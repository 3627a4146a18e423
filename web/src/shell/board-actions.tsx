/** What belongs to no page: help, the keyboard, and the way out where there is a passcode. */

import { BookOpenText, Keyboard, LogOut, UserRound } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { accountsRoute } from "../pages/people/accounts-route";
import { ACCOUNT_PATHS } from "../routes";
import { strings } from "../strings";
import { useSession, useSignOut } from "../wire/hooks";
import { accountOf } from "../wire/session-cache";
import { helpFor } from "./help";
import { useOverlay } from "./overlay";

export function BoardActions(): ReactNode {
  const show = useOverlay((overlay) => overlay.show);
  return (
    <div className="flex flex-col gap-1">
      <HelpLink />
      <BoardButton
        onClick={() => {
          show("shortcuts");
        }}
      >
        <Keyboard aria-hidden className="size-5" />
        {strings.shortcuts.title}
      </BoardButton>
      <YouLink />
      <SignOutButton />
    </div>
  );
}

/** The documentation of this version, opened beside the app so that nothing on the page is lost. */
function HelpLink(): ReactNode {
  const [path] = useLocation();
  return (
    <a href={helpFor(path)} target="paige-help" className={BOARD_ITEM}>
      <BookOpenText aria-hidden className="size-5 shrink-0" />
      {strings.help}
    </a>
  );
}

/** The way to one's own pages, where people have accounts. */
function YouLink(): ReactNode {
  const session = useSession();
  const close = useOverlay((overlay) => overlay.close);
  const person = accountOf(session.data)?.person ?? null;
  if (person === null) return null;
  return (
    <Link href={ACCOUNT_PATHS.you} onClick={close} title={accountsRoute.you} className={BOARD_ITEM}>
      <UserRound aria-hidden className="size-5 shrink-0" />
      <span className="truncate">{person.name}</span>
    </Link>
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

// A button on the board.

/** How everything on the board looks that can be pressed. */
const BOARD_ITEM =
  "flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left text-base whitespace-nowrap " +
  "text-board-ink-soft transition-colors hover:bg-board-raised hover:text-board-ink";

export function BoardButton(props: ComponentProps<"button">): ReactNode {
  return <button type="button" {...props} className={BOARD_ITEM} />;
}
