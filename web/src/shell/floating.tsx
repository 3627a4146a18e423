/** A panel beside the button that opened it, on Radix: it takes the focus, closes on Escape, and gives the focus back. */

import { Popover } from "radix-ui";
import type { ReactNode } from "react";

import { returnFocus, useOverlay } from "./overlay";

interface FloatingProps {
  /** The id of the button; it opens and closes the panel itself. */
  anchor: string;
  label: string;
  side: "top" | "bottom";
  className: string;
  children: ReactNode;
}

export function Floating({ anchor, label, side, className, children }: FloatingProps): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  return (
    <Popover.Root
      open
      onOpenChange={(open) => {
        if (!open) close();
      }}
    >
      <Popover.Anchor virtualRef={{ current: { getBoundingClientRect: () => placeOf(anchor) } }} />
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          side={side}
          align="end"
          sideOffset={8}
          collisionPadding={12}
          onInteractOutside={(event) => {
            if (event.target instanceof Element && event.target.closest(`#${anchor}`) !== null) event.preventDefault();
          }}
          onOpenAutoFocus={(event) => {
            // Radix would pass by links, which is what most panels are about.
            const panel = event.target instanceof HTMLElement ? event.target : null;
            const first = panel?.querySelector<HTMLElement>("a") ?? panel?.querySelector<HTMLElement>("button:enabled");
            if (first === undefined || first === null) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            returnFocus();
          }}
          className={`z-40 max-h-(--radix-popover-content-available-height) overflow-auto rounded-xl shadow-2xl outline-none ${className}`}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function placeOf(id: string): DOMRect {
  return document.getElementById(id)?.getBoundingClientRect() ?? new DOMRect();
}
