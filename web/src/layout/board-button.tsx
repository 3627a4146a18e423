/** A button on the board. */

import type { ComponentProps, ReactNode } from "react";

/** How everything on the board looks that can be pressed. */
export const BOARD_ITEM =
  "flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left text-base whitespace-nowrap " +
  "text-board-ink-soft transition-colors hover:bg-board-raised hover:text-board-ink";

export function BoardButton(props: ComponentProps<"button">): ReactNode {
  return <button type="button" {...props} className={BOARD_ITEM} />;
}
