/** Whether answers are taken. */

import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { BookCheck, Lock, LockOpen } from "lucide-react";
import type { ReactNode } from "react";

import { useServices } from "../../../services";
import { Badge } from "../../../ui/data/facts";
import type { HandoutItem, HandoutMake, HandoutSeen } from "../../../wire/generated";
import { PLAN_KEY, PROPOSALS_KEY } from "../cache";
import { handoutStrings } from "./strings";

const text = handoutStrings.state;

export function State({ item }: { item: HandoutItem }): ReactNode {
  if (item.kept) {
    return (
      <Badge tone="door" icon={BookCheck}>
        {text.kept}
      </Badge>
    );
  }
  return (
    <Badge tone={item.open ? "ok" : "soft"} icon={item.open ? LockOpen : Lock}>
      {item.open ? text.open : text.closed}
    </Badge>
  );
}

// What the pages about handouts read and do.

const HANDOUTS_KEY = [...PLAN_KEY, "handouts"] as const;
/** Answers come in while the page is open. */
const LOOK_MS = 15_000;

export function useHandouts(): UseQueryResult<HandoutItem[]> {
  const { handouts } = useServices().api;
  return useQuery({ queryKey: HANDOUTS_KEY, queryFn: () => handouts.list() });
}

export function useHandout(id: string): UseQueryResult<HandoutSeen> {
  const { handouts } = useServices().api;
  return useQuery({ queryKey: [...HANDOUTS_KEY, id], queryFn: () => handouts.read(id), refetchInterval: LOOK_MS });
}

export function useMake(onMade: (seen: HandoutSeen) => void): UseMutationResult<HandoutSeen, Error, HandoutMake> {
  const { handouts } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (make) => handouts.make(make),
    onSuccess: (seen) => {
      onMade(seen);
      void queries.invalidateQueries({ queryKey: HANDOUTS_KEY });
    },
  });
}

type Change = "close" | "open" | "keep";

/** Opens or closes a handout, or hands its figures to the memory of the class. */
export function useChange(id: string): UseMutationResult<unknown, Error, Change> {
  const { handouts } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change): Promise<unknown> => handouts[change](id),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: HANDOUTS_KEY });
      void queries.invalidateQueries({ queryKey: PROPOSALS_KEY });
    },
  });
}
