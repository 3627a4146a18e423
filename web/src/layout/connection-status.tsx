/** Whether the app hears from the server: an icon with words, and a calm announcement. */

import { clsx } from "clsx";
import { LoaderCircle, PlugZap, Unplug, Wifi } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useStore } from "zustand";

import type { ConnectionState } from "../connection/machine";
import { useServices } from "../services";
import { strings } from "../strings";

const LOOKS = {
  open: { icon: Wifi, color: "text-ok" },
  connecting: { icon: LoaderCircle, color: "text-ink-soft" },
  resyncing: { icon: LoaderCircle, color: "text-ink-soft" },
  waiting: { icon: Unplug, color: "text-warn" },
  closed: { icon: PlugZap, color: "text-ink-soft" },
} satisfies Record<ConnectionState["name"], unknown>;

export function ConnectionStatus({ className }: { className: string }): ReactNode {
  const { connectionState } = useServices();
  const state = useStore(connectionState);
  const { icon: Icon, color } = LOOKS[state.name];
  const announcement = useAnnouncement(state);
  return (
    <p className={clsx("flex items-center gap-2 text-base font-semibold", color, className)}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {strings.connection.state(state)}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </p>
  );
}

/**
 * What a screen reader is told. A lost connection goes back and forth between waiting and connecting;
 * it is announced when it is lost and when it is found again, and nothing in between.
 */
export function announce(previous: string, state: ConnectionState): string {
  if (state.name === "waiting") return strings.connection.lost;
  if (state.name === "open" && previous === strings.connection.lost) return strings.connection.found;
  return previous;
}

function useAnnouncement(state: ConnectionState): string {
  const [said, setSaid] = useState("");
  const next = announce(said, state);
  if (next !== said) setSaid(next);
  return next;
}
