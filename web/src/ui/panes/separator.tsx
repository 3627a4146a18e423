/** The line between two panes: dragged, or moved with the arrow keys. */

import { clsx } from "clsx";
import type { KeyboardEvent, PointerEvent, ReactNode } from "react";

interface SeparatorProps {
  label: string;
  value: number;
  least: number;
  most: number;
  step: number;
  /** The value for a place of the pointer, as the pane measures. */
  valueAt: (x: number) => number;
  /** -1 where the pane on the right grows with the value. */
  direction: 1 | -1;
  onChange: (value: number) => void;
}

export function Separator({ label, value, least, most, step, valueAt, direction, onChange }: SeparatorProps): ReactNode {
  const moveByKey = (event: KeyboardEvent): void => {
    const next = {
      ArrowLeft: value - step * direction,
      ArrowRight: value + step * direction,
      Home: least,
      End: most,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next);
  };
  const drag = (event: PointerEvent<HTMLElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) onChange(valueAt(event.clientX));
  };
  return (
    // A separator that can be moved is a widget, as WAI-ARIA has it; the rule knows only the one that cannot.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      data-unprinted
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
      tabIndex={0}
      onKeyDown={moveByKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={drag}
      className={clsx(
        "relative z-10 w-px cursor-col-resize touch-none bg-line transition-colors hover:bg-accent",
        // A line of one pixel is hard to hit.
        "after:absolute after:inset-y-0 after:-left-1.5 after:w-3",
      )}
    />
  );
}
