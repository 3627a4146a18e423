/** Buttons: one for words, one for an icon with a name. */

import { clsx } from "clsx";
import { ArrowLeft, type LucideIcon, Printer } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Link } from "wouter";

import { keep } from "../wire/http";
import { uiStrings } from "./strings";
import { notify, notifyError } from "./toasts";

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

// The way back to the list that something was opened from.

export function BackLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <Link data-unprinted href={href} className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent hover:underline">
      <ArrowLeft aria-hidden className="size-4.5" />
      {children}
    </Link>
  );
}

// Prints the page, or makes a PDF of it: browsers do both.

export function PrintButton({ words = uiStrings.print }: { words?: string }): ReactNode {
  return (
    <Button
      look="quiet"
      data-unprinted
      onClick={() => {
        window.print();
      }}
    >
      <Printer aria-hidden className="size-4" />
      {words}
    </Button>
  );
}

// Something that is opened by whoever wants to know more.

interface MoreProps {
  words: ReactNode;
  /** What it is about, for screen readers: the words alone may stand several times on a page. */
  about?: string;
  icon?: LucideIcon;
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

export function More({ words, about, icon: Icon, isOpen = false, onToggle, className = "mt-2", children }: MoreProps): ReactNode {
  return (
    <details
      className={className}
      open={isOpen || undefined}
      onToggle={(event) => {
        onToggle?.(event.currentTarget.open);
      }}
    >
      <summary
        className={clsx(
          "w-fit cursor-pointer text-base text-ink-soft hover:text-accent",
          Icon !== undefined && "flex min-h-11 items-center gap-2 font-semibold",
        )}
      >
        {Icon !== undefined && <Icon aria-hidden className="size-4.5" />}
        {words}
        {about !== undefined && <span className="sr-only">: {about}</span>}
      </summary>
      {children}
    </details>
  );
}

// Fetches a file that is made when it is asked for, and says what came of it.

type File = Parameters<typeof keep>[0];

interface Words {
  exported: (name: string) => string;
  exportFailed: string;
}

export function useDownload<To>(words: Words, fetch: (to: To) => Promise<File>): { isBusy: boolean; download: (to: To) => void } {
  const [isBusy, setIsBusy] = useState(false);
  const run = async (to: To): Promise<void> => {
    setIsBusy(true);
    try {
      const file = await fetch(to);
      keep(file);
      notify(words.exported(file.name));
    } catch (error) {
      notifyError(words.exportFailed, error);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, download: (to) => void run(to) };
}
