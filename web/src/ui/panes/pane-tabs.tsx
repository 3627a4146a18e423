/** Panes of a page that fills the window: beside each other where there is room, one at a time where there is not. */

import { clsx } from "clsx";
import { Tabs } from "radix-ui";
import type { KeyboardEvent, PointerEvent, ReactNode } from "react";

import { TAB } from "../tabs";

interface PaneTabsProps<Pane extends string> {
  label: string;
  panes: readonly (readonly [name: Pane, words: string])[];
}

/** The row of names, within a `Tabs.Root`. */
export function PaneTabs<Pane extends string>({ label, panes }: PaneTabsProps<Pane>): ReactNode {
  return (
    <Tabs.List
      data-unprinted
      aria-label={label}
      className="flex gap-1 border-b border-line max-lg:sticky max-lg:top-16 max-lg:z-10 max-lg:-mx-4 max-lg:bg-paper max-lg:px-4 lg:px-4"
    >
      {panes.map(([name, words]) => (
        <Tabs.Trigger key={name} value={name} className={TAB}>
          {words}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
  );
}

interface PaneBoxProps {
  name: string;
  label: string;
  isShown: boolean;
  /** It is one of those to choose from; else it is a region of the page. */
  isChoice: boolean;
  /** It is what the page is printed for. */
  isPrinted?: boolean;
  className?: string;
  children: ReactNode;
}

/** A pane that is not shown stays as it is: its scroll, its editor, its half-written answers. */
export function PaneBox({ name, label, isShown, isChoice, isPrinted = false, className, children }: PaneBoxProps): ReactNode {
  const asRegion = { role: "region", "aria-labelledby": undefined, "aria-label": label, tabIndex: undefined };
  return (
    <Tabs.Content
      value={name}
      forceMount
      // Not `hidden`: nothing could show it again on paper.
      style={isShown ? undefined : { display: "none" }}
      data-pane={name}
      data-unprinted={isPrinted ? undefined : true}
      {...(isChoice ? {} : asRegion)}
      className={clsx("relative min-h-0 min-w-0 -outline-offset-3", className)}
    >
      {children}
    </Tabs.Content>
  );
}

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

/** The line between two panes: dragged, or moved with the arrow keys. */
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
