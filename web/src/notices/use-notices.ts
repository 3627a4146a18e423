/** What waits for the person, and which of it is new. */

import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { navigate } from "wouter/use-browser-location";

import { useSession } from "../api/hooks";
import { NOTICES_KEY } from "../api/notices-cache";
import { mayEnter } from "../api/session-cache";
import { useServices } from "../services";
import type { Notice, Notices } from "../wire/generated";
import { alertPerson, useAlerts } from "./alerts";
import { useSeen, useSharedSeen } from "./seen";
import { hear, NOTHING_TOLD, saidOf } from "./telling";
import { useUnseenCount } from "./unseen";

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
export function useTelling(): { count: number; said: string } {
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
