/** The bell in the bar above every page: how much waits unseen. The list behind it is fetched when it is wanted. */

import { Bell as BellIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useOverlay } from "../keyboard/overlay";
import { noticeStrings as text } from "../strings-notices";
import { IconButton } from "../ui/button";
import { useTelling } from "./use-notices";

export const BELL_ID = "notices-bell";

export function Bell(): ReactNode {
  const { count, said } = useTelling();
  const { shown, show, close } = useOverlay();
  const isOpen = shown === "notices";
  return (
    <>
      <IconButton
        id={BELL_ID}
        label={text.button(count)}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => {
          if (isOpen) close();
          else show("notices");
        }}
        className="relative text-ink-soft hover:bg-line hover:text-ink aria-expanded:bg-line aria-expanded:text-ink"
      >
        <BellIcon aria-hidden className="size-5" />
        {count > 0 && (
          <span
            aria-hidden
            className="absolute top-0.5 right-0.5 grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 text-xs leading-none font-bold text-on-accent"
          >
            {text.badge(count)}
          </span>
        )}
      </IconButton>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  );
}
