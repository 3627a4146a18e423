/** States and kinds: an icon and a word, so that no colour has to be seen. */

import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

export type Tone = "ok" | "warn" | "fail" | "accent" | "door" | "soft" | "ink";

export const TONES: Record<Tone, string> = {
  ok: "text-ok",
  warn: "text-warn",
  fail: "text-fail",
  accent: "text-accent",
  door: "text-door-ink",
  soft: "text-ink-soft",
  ink: "text-ink",
};

interface BadgeProps {
  tone: Tone;
  icon?: LucideIcon;
  className?: string | undefined;
  children: ReactNode;
}

/** A state within a line of text. */
export function Mark({ tone, icon: Icon, className, children }: BadgeProps): ReactNode {
  return (
    <span className={clsx("inline-flex shrink-0 items-baseline gap-1.5 font-semibold whitespace-nowrap", TONES[tone], className)}>
      {Icon !== undefined && <Icon aria-hidden className="size-4.5 shrink-0 self-center" />}
      {children}
    </span>
  );
}

/** A state that stands by itself, such as in the corner of a card. */
export function Badge({ tone, icon: Icon, className, children }: BadgeProps): ReactNode {
  return (
    <span
      className={clsx(
        "inline-flex min-h-7 shrink-0 items-center gap-1.5 rounded-full border border-current px-2.5 text-sm font-semibold",
        TONES[tone],
        className,
      )}
    >
      {Icon !== undefined && <Icon aria-hidden className="size-4 shrink-0" />}
      {children}
    </span>
  );
}
