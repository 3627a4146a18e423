/** Buttons: one for words, one for an icon with a name. */

import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

const LOOKS = {
  primary: "bg-accent text-on-accent hover:bg-accent-strong",
  danger: "bg-fail text-on-accent hover:brightness-110",
  quiet: "border border-edge bg-card text-ink hover:border-accent hover:text-accent",
};

type ButtonProps = ComponentProps<"button"> & { look?: keyof typeof LOOKS };

export function buttonClass(look: keyof typeof LOOKS): string {
  return clsx(
    "inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-4 py-2 font-semibold transition-colors",
    "disabled:cursor-not-allowed disabled:opacity-60",
    LOOKS[look],
  );
}

export function Button({ look = "primary", className, ...props }: ButtonProps): ReactNode {
  return <button type="button" {...props} className={clsx(buttonClass(look), className)} />;
}

/** `className` replaces the colours, for buttons that do not lie on paper. */
export function IconButton({ label, className, ...props }: ComponentProps<"button"> & { label: string }): ReactNode {
  return (
    <button
      type="button"
      {...props}
      aria-label={label}
      title={label}
      className={clsx(
        "grid size-11 shrink-0 place-items-center rounded-md transition-colors",
        className ?? "text-ink-soft hover:bg-line hover:text-ink",
      )}
    />
  );
}
