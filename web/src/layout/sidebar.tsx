/** The board beside every page on wide screens: where to go, and what belongs to no page. */

import type { ReactNode } from "react";

import { strings } from "../strings";
import { BoardActions } from "./board-actions";
import { Brand } from "./brand";
import { SideLinks } from "./navigation";

export function Sidebar(): ReactNode {
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
