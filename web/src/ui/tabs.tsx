/** Parts of a page of which one is shown: a row of names, and what is behind the chosen one. */

import { clsx } from "clsx";
import { Tabs as Primitive } from "radix-ui";
import type { ReactNode } from "react";

/** How a name in the row looks. */
export const TAB =
  "-mb-px min-h-11 border-b-3 border-transparent px-2 font-semibold text-ink-soft transition-colors sm:px-4 " +
  "hover:text-accent data-[state=active]:border-accent data-[state=active]:text-accent";

interface TabsProps<Name extends string> {
  /** What the row of names is called. */
  label: string;
  value: Name;
  onChange: (chosen: Name) => void;
  /** The names in their order, each with the words it is shown with. */
  tabs: readonly (readonly [name: Name, words: ReactNode])[];
  className?: string;
  /** A `TabPanel` for every name. */
  children: ReactNode;
}

export function Tabs<Name extends string>({ label, value, onChange, tabs, className, children }: TabsProps<Name>): ReactNode {
  return (
    <Primitive.Root
      value={value}
      onValueChange={(chosen) => {
        const found = tabs.find(([name]) => name === chosen);
        if (found !== undefined) onChange(found[0]);
      }}
      className={clsx("mt-6", className)}
    >
      <Primitive.List data-unprinted aria-label={label} className="flex flex-wrap gap-x-1 border-b border-line">
        {tabs.map(([name, words]) => (
          <Primitive.Trigger
            key={name}
            value={name}
            className={TAB}
          >
            {words}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {children}
    </Primitive.Root>
  );
}

/** What is behind a name. It is drawn only while it is chosen. */
export function TabPanel({ value, className, children }: { value: string; className?: string; children: ReactNode }): ReactNode {
  return (
    <Primitive.Content value={value} className={clsx("pt-6", className)}>
      {children}
    </Primitive.Content>
  );
}
