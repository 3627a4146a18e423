/** A button on the board. */

import type { ComponentProps, ReactNode } from "react";

export function BoardButton(props: ComponentProps<"button">): ReactNode {
  return (
    <button
      type="button"
      {...props}
      className="flex min-h-11 w-full items-center gap-3 rounded-md px-3 text-left text-base whitespace-nowrap text-board-ink-soft transition-colors hover:bg-board-raised hover:text-board-ink"
    />
  );
}
