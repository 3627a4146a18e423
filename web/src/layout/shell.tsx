/** The frame around every page: navigation, top bar, dialogs, and the focus that follows a link. */

import { type ReactNode, useEffect, useRef } from "react";
import { useLocation } from "wouter";

import { GoingHint } from "../keyboard/going-hint";
import { useShortcuts } from "../keyboard/shortcuts";
import { strings } from "../strings";
import { DemoNote } from "./demo-note";
import { BottomLinks } from "./navigation";
import { Overlays } from "./overlays";
import { focusHeading } from "./page";
import { Sidebar } from "./sidebar";
import { TopBar } from "./top-bar";

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
    focusHeading();
  }, [path]);
}
