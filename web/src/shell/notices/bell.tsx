/** The bell in the bar above every page: how much waits unseen. The list behind it is fetched when it is wanted. */

import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { Bell as BellIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";

import { useServices } from "../../services";
import { IconButton } from "../../ui/button";
import type { Notice, Notices } from "../../wire/generated";
import { useSession } from "../../wire/hooks";
import { mayEnter } from "../../wire/session-cache";
import { useOverlay } from "../overlay";
import { alertPerson, useAlerts, useSeen, useSharedSeen, useUnseenCount } from "./alerts";
import { NOTICES_KEY } from "./cache";
import { noticeStrings as text } from "./strings";

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

// What waits for the person, and which of it is new.

/** Reviews become due by themselves, and guards send no word. */
const EVERY_MS = 60_000;

export function useNotices(): UseQueryResult<Notices> {
  const { api } = useServices();
  const session = useSession();
  const isOn = useAlerts((alerts) => alerts.isOn);
  return useQuery({
    queryKey: NOTICES_KEY,
    queryFn: () => api.finding.notices(),
    enabled: session.data !== undefined && mayEnter(session.data),
    refetchInterval: EVERY_MS,
    // Who wants to be told while the tab is hidden is looked after there, too.
    refetchIntervalInBackground: isOn,
    // A bell that cannot be read is no reason to disturb anybody.
    meta: { isQuiet: true },
  });
}

export function useUnseen(): Notice[] {
  const notices = useNotices().data?.notices ?? [];
  const seen = useSeen((store) => store.seen);
  return notices.filter(({ id }) => !seen.includes(id));
}

/** Keeps the count in the tab, and says what is new. */
function useTelling(): { count: number; said: string } {
  useSharedSeen();
  const isRead = useNotices().data !== undefined;
  const unseen = useUnseen();
  const count = unseen.length;
  const [told, setTold] = useState(NOTHING_TOLD);
  const next = isRead ? hear(told, unseen) : told;
  if (next !== told) setTold(next);
  useEffect(() => {
    useUnseenCount.setState({ count });
  }, [count]);
  useEffect(() => {
    next.fresh.forEach(alertOf);
  }, [next.fresh]);
  return { count, said: next.said };
}

function alertOf(notice: Notice): void {
  const { title, what } = saidOf(notice);
  alertPerson({
    id: notice.id,
    title,
    body: what,
    open: () => {
      navigate(notice.link);
    },
  });
}

// What is said about what waits: once how much there is, then what comes.

interface Told {
  /** The ids that were spoken of; nothing before the first look. */
  known: ReadonlySet<string> | null;
  /** For screen readers. */
  said: string;
  /** What came since the page was opened, for the browser to show. */
  fresh: readonly Notice[];
}

export const NOTHING_TOLD: Told = { known: null, said: "", fresh: [] };

/** The next thing to say; the same value when there is nothing new. */
export function hear(told: Told, unseen: readonly Notice[]): Told {
  const { known } = told;
  const fresh = unseen.filter(({ id }) => known?.has(id) !== true);
  if (known !== null && fresh.length === 0) return told;
  return {
    known: new Set([...(known ?? []), ...fresh.map(({ id }) => id)]),
    said: sentence(fresh, known === null),
    fresh: known === null ? [] : fresh,
  };
}

function sentence(fresh: readonly Notice[], isFirst: boolean): string {
  const [one, ...others] = fresh;
  if (one === undefined) return "";
  if (isFirst || others.length > 0) return text.atFirst(fresh.length);
  const { title, what } = saidOf(one);
  return text.fresh(title, what);
}

/** What something is about, and what it wants. */
export function saidOf({ kind, title, detail, count }: Notice): { title: string; what: string } {
  const what = kind === "reviews" ? text.reviews(count) : text.kinds[kind];
  return { title: title || text.untitled, what: detail === "" ? what : `${what}. ${detail}` };
}
