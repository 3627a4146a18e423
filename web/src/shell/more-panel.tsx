/** What a phone's bar has no room for: the pages beside the doors, the search, and what belongs to no page. */

import { Search } from "lucide-react";
import type { ReactNode } from "react";

import { MORE_ROUTES } from "../routes";
import { strings } from "../strings";
import { BoardActions, BoardButton } from "./board-actions";
import { Floating } from "./floating";
import { Links, MORE_ID } from "./navigation";
import { useOverlay } from "./overlay";
import { searchEverything } from "./page";

export function MorePanel(): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  return (
    <Floating
      anchor={MORE_ID}
      label={strings.more}
      side="top"
      className="on-board w-[min(18rem,calc(100vw-1.5rem))] border border-board-raised bg-board p-3 text-board-ink"
    >
      <Links routes={MORE_ROUTES} onFollow={close} />
      <hr className="my-3 border-board-raised" />
      <BoardButton
        onClick={() => {
          close();
          searchEverything();
        }}
      >
        <Search aria-hidden className="size-5" />
        {strings.search}
      </BoardButton>
      <BoardActions />
    </Floating>
  );
}
