/** Names and values below each other. */

import { clsx } from "clsx";
import { type LucideIcon, Terminal } from "lucide-react";
import { type HTMLAttributes, type ReactNode, useId } from "react";

export function Facts({ children }: { children: ReactNode }): ReactNode {
  return <dl className="text-base">{children}</dl>;
}

/** A line of it; nothing where there is nothing to say. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  if (children === "" || children === false || children === null || children === undefined) return null;
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 border-b border-rule py-1 last:border-0">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

// A sheet that lies on the page.

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: "div" | "section" | "article" | "li";
  /** With the colour of the door on its left edge. */
  isMarked?: boolean;
}

export function Card({ as: Element = "div", isMarked = false, className, ...rest }: CardProps): ReactNode {
  return (
    <Element
      {...rest}
      className={clsx("rounded-lg border border-line bg-card p-5", isMarked && "border-l-4 border-l-spine", className)}
    />
  );
}

// Where things stand, in a few numbers beside each other.

interface Figure {
  key: string;
  /** What is counted: a word, perhaps with a mark. */
  name: ReactNode;
  value: ReactNode;
  note?: ReactNode;
}

interface FiguresProps {
  label?: string;
  figures: readonly Figure[];
  /** The numbers change while they are looked at, and that is said. */
  isLive?: boolean;
  /** How many stand beside each other where there is room. */
  columns: 2 | 3 | 4 | 5 | 6;
  className?: string;
}

const COLUMNS = {
  2: "grid-cols-2 *:last:odd:col-span-2",
  3: "grid-cols-2 sm:grid-cols-3",
  4: "grid-cols-2 lg:grid-cols-4",
  5: "grid-cols-2 sm:grid-cols-3 xl:grid-cols-5",
  6: "grid-cols-2 sm:grid-cols-3 xl:grid-cols-6",
};

export function Figures({ label, figures, isLive = false, columns, className }: FiguresProps): ReactNode {
  return (
    <dl
      aria-label={label}
      aria-live={isLive ? "polite" : undefined}
      // The lines are drawn by the cells, so that a row that is not full has none at its end.
      className={clsx("grid overflow-hidden rounded-lg border border-line bg-card", COLUMNS[columns], className)}
    >
      {figures.map(({ key, name, value, note }) => (
        <div key={key} className="flex flex-col px-4 py-3 shadow-[0_0_0_0.5px_var(--line)] max-sm:last:odd:col-span-2">
          <dt className="text-base text-ink-soft">{name}</dt>
          <dd className="font-heading text-2xl font-semibold tabular-nums">{value}</dd>
          {note !== undefined && <dd className="text-base leading-snug text-ink-soft">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

// Things in columns, one for each state they may be in.

interface BoardColumnProps {
  title: ReactNode;
  about: string;
  /** What is said where there is none. */
  nobody: string;
  /** `li` elements. */
  children: readonly ReactNode[];
}

export function BoardColumn({ title, about, nobody, children }: BoardColumnProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-line/25 p-3">
      <h3 id={id} className="flex items-center gap-2 text-lg">
        {title}
        <span className="ml-auto text-base font-normal text-ink-soft tabular-nums">{children.length}</span>
      </h3>
      <p className="text-[0.9375rem] leading-snug text-ink-soft">{about}</p>
      {children.length === 0 ? (
        <p className="mt-3 text-base text-ink-soft">{nobody}</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-3">{children}</ul>
      )}
    </section>
  );
}

// States and kinds: an icon and a word, so that no colour has to be seen.

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

// A command, letter for letter: what is long wraps, what is wide stays inside.

export function CommandText({ text, className }: { text: string; className?: string }): ReactNode {
  return (
    <code className={clsx("block rounded bg-line/60 px-3 py-2 text-[0.95em] [overflow-wrap:anywhere] whitespace-pre-wrap", className)}>
      {text}
    </code>
  );
}

/** A command to type into a terminal. */
export function ShellCommand({ command, className }: { command: string; className?: string }): ReactNode {
  return (
    <span className={clsx("inline-flex items-baseline gap-2 rounded bg-line/60 px-2 py-1.5 text-ink", className)}>
      <Terminal aria-hidden className="size-4 shrink-0 self-center text-ink-soft" />
      <code className="text-[0.9em] [overflow-wrap:anywhere]">{command}</code>
    </span>
  );
}
