/** How rows of the palette look. */

export const GROUP =
  "pb-2 [&_[cmdk-group-heading]]:px-4 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm " +
  "[&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-soft";

export const ITEM =
  "group flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-4 aria-selected:bg-accent aria-selected:text-on-accent";
