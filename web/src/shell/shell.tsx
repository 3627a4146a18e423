/** The frame around every page: navigation, top bar, dialogs, and the focus that follows a link. */

import { clsx } from "clsx";
import { LoaderCircle, PlugZap, Search, Unplug, Wifi } from "lucide-react";
import { Component, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "zustand";

import { useServices } from "../services";
import { strings } from "../strings";
import { notifyError } from "../ui/toasts";
import { useSession } from "../wire/hooks";
import type { ConnectionState } from "../wire/machine";
import { BoardActions } from "./board-actions";
import { BottomLinks, SideLinks } from "./navigation";
import { Bell } from "./notices/bell";
import { type Overlay, useOverlay } from "./overlay";
import { focusHeading } from "./page";
import { GOALS, MODIFIER, TO_NOTICES, useGoing, useShortcuts } from "./shortcuts";
import { Brand, ThemeButton } from "./theme-button";

export function Shell({ children }: { children: ReactNode }): ReactNode {
  useShortcuts();
  useFocusedHeading();
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-card px-4 py-2 font-semibold text-accent shadow-lg focus:translate-y-0"
      >
        {strings.skipToContent}
      </a>
      <Sidebar />
      <div className="flex min-w-0 flex-1 flex-col">
        <TopBar />
        <DemoNote />
        <main
          id="content"
          tabIndex={-1}
          className="w-full flex-1 px-5 pt-8 pb-28 outline-none sm:px-10 sm:pt-12 md:margin-line md:ml-8 md:w-auto md:pb-16"
        >
          <div className="max-w-5xl">{children}</div>
        </main>
        <nav
          aria-label={strings.navigation}
          className="on-board fixed inset-x-0 bottom-0 z-20 bg-board pb-[env(safe-area-inset-bottom)] md:hidden"
        >
          <BottomLinks />
        </nav>
      </div>
      <Overlays />
      <GoingHint />
    </div>
  );
}

/** A link led to another page: show its top, and tell readers where they are. */
function useFocusedHeading(): void {
  const [path] = useLocation();
  const previousPath = useRef(path);
  useEffect(() => {
    if (previousPath.current === path) return;
    previousPath.current = path;
    window.scrollTo(0, 0);
    // Who takes the tour stays in its card, however late the page comes.
    if (document.activeElement?.closest("[data-tour]") == null) focusHeading();
  }, [path]);
}

/** The board beside every page on wide screens: where to go, and what belongs to no page. */
function Sidebar(): ReactNode {
  return (
    <nav
      data-unprinted
      aria-label={strings.navigation}
      className="on-board hidden w-56 shrink-0 bg-board text-board-ink md:block"
    >
      <div className="sticky top-0 flex h-dvh flex-col overflow-auto px-3 py-4">
        <div className="px-3 pt-1 pb-7">
          <Brand />
        </div>
        <SideLinks />
        <div className="mt-auto border-t border-board-raised pt-3">
          <BoardActions />
        </div>
      </div>
    </nav>
  );
}

/** The bar above every page: connection, commands and search, what waits, theme. */
function TopBar(): ReactNode {
  const show = useOverlay((overlay) => overlay.show);
  return (
    <header className="sticky top-0 z-20 flex h-16 items-center gap-3 border-b border-line bg-paper px-4 sm:px-8">
      <img src="/favicon.svg" alt={strings.brand} width="28" height="28" className="md:hidden" />
      <ConnectionStatus className="mr-auto" />
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          show("palette");
        }}
        className="flex min-h-11 items-center gap-2 rounded-md border border-edge bg-card px-3 text-ink-soft transition-colors hover:border-accent hover:text-accent"
      >
        <Search aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{strings.palette.open}</span>
        <kbd aria-hidden className="ml-4 hidden font-sans text-sm sm:inline">
          {MODIFIER} K
        </kbd>
      </button>
      <Bell />
      <ThemeButton />
    </header>
  );
}

const LOOKS = {
  open: { icon: Wifi, color: "text-ok" },
  connecting: { icon: LoaderCircle, color: "text-ink-soft" },
  resyncing: { icon: LoaderCircle, color: "text-ink-soft" },
  waiting: { icon: Unplug, color: "text-warn" },
  closed: { icon: PlugZap, color: "text-ink-soft" },
} satisfies Record<ConnectionState["name"], unknown>;

/** Whether the app hears from the server: an icon with words, and a calm announcement. */
function ConnectionStatus({ className }: { className: string }): ReactNode {
  const { connectionState } = useServices();
  const state = useStore(connectionState);
  const { icon: Icon, color } = LOOKS[state.name];
  const announcement = useAnnouncement(state);
  return (
    <p className={clsx("flex items-center gap-2 text-base font-semibold", color, className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {strings.connection.state(state)}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </p>
  );
}

/**
 * What a screen reader is told. A lost connection goes back and forth between waiting and connecting;
 * it is announced when it is lost and when it is found again, and nothing in between.
 */
export function announce(previous: string, state: ConnectionState): string {
  if (state.name === "waiting") return strings.connection.lost;
  if (state.name === "open" && previous === strings.connection.lost) return strings.connection.found;
  return previous;
}

function useAnnouncement(state: ConnectionState): string {
  const [said, setSaid] = useState("");
  const next = announce(said, state);
  if (next !== said) setSaid(next);
  return next;
}

/** Says on every page that this is the demo, where it is one. */
function DemoNote(): ReactNode {
  const session = useSession().data;
  if (session === undefined || !("demo" in session) || !session.demo) return null;
  return (
    <p data-unprinted className="border-b border-line bg-card px-4 py-2 text-sm text-ink-soft sm:px-8">
      {strings.demo}
    </p>
  );
}

const load = {
  palette: async () => ({ default: (await import("./palette")).Palette }),
  shortcuts: async () => ({ default: (await import("./shortcuts-dialog")).ShortcutsDialog }),
  notices: async () => ({ default: (await import("./notices/panel")).NoticesPanel }),
  more: async () => ({ default: (await import("./more-panel")).MorePanel }),
} satisfies Record<Overlay, unknown>;
const Palette = lazy(load.palette);
const ShortcutsDialog = lazy(load.shortcuts);
const NoticesPanel = lazy(load.notices);
const MorePanel = lazy(load.more);

/** The dialogs and panels that lie over a page. */
function Overlays(): ReactNode {
  const shown = useOverlay((overlay) => overlay.shown);
  useEffect(fetchDialogs, []);
  return (
    // A new dialog gets a new guard.
    <OverlayGuard key={shown}>
      <Suspense>
        {shown === "palette" && <Palette />}
        {shown === "shortcuts" && <ShortcutsDialog />}
        {shown === "notices" && <NoticesPanel />}
        {shown === "more" && <MorePanel />}
      </Suspense>
    </OverlayGuard>
  );
}

/** Dialogs are not in the first load, to keep it small, but soon after: they open without the server. */
function fetchDialogs(): void {
  for (const fetchDialog of Object.values(load)) {
    fetchDialog().catch(() => {
      // Whoever opens the dialog is told.
    });
  }
}

/** A dialog that cannot be fetched must not take the page with it. */
class OverlayGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    notifyError(strings.notices.dialogFailed, { hint: strings.notices.dialogFailedHint });
    useOverlay.getState().close();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}

/** After G: where the next key leads. It is only seen; whoever hears the page knows the keys from the help. */
function GoingHint(): ReactNode {
  const isAsked = useGoing(({ isAsked }) => isAsked);
  if (!isAsked) return null;
  return (
    <div
      aria-hidden
      className="on-board fixed bottom-24 left-1/2 z-40 flex w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-wrap items-center gap-x-4 gap-y-1 rounded-lg bg-board px-5 py-3 text-board-ink shadow-2xl md:bottom-8"
    >
      <span className="text-board-ink-soft">{strings.shortcuts.goTo}</span>
      {GOALS.map(({ letter, route }) => (
        <Goal key={letter} letter={letter} name={route.title} />
      ))}
      <Goal letter={TO_NOTICES} name={strings.shortcuts.waiting} />
    </div>
  );
}

function Goal({ letter, name }: { letter: string; name: string }): ReactNode {
  return (
    <span className="whitespace-nowrap">
      <kbd className="mr-1.5 rounded bg-board-raised px-1.5 font-sans text-base text-chalk">{letter}</kbd>
      {name}
    </span>
  );
}
