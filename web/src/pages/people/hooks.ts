/** Accounts as React hooks. */

import {
  type InfiniteData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import { useServices } from "../../services";
import type { AboutMe, AuditPage, LimitsOnSpend, MySignIns, PeoplePage } from "../../wire/generated";
import type { AccountsApi } from "./api";

const KEY = ["accounts"] as const;

export function useMe(): UseQueryResult<AboutMe> {
  const { api } = useServices();
  return useQuery({ queryKey: [...KEY, "me"], queryFn: () => api.accounts.me() });
}

export function useSignIns(): UseQueryResult<MySignIns> {
  const { api } = useServices();
  return useQuery({ queryKey: [...KEY, "signIns"], queryFn: () => api.accounts.signIns() });
}

export function usePeople(words: string): UseInfiniteQueryResult<InfiniteData<PeoplePage>> {
  const { api } = useServices();
  return useInfiniteQuery({
    queryKey: [...KEY, "people", words],
    queryFn: ({ pageParam }) => api.accounts.people(words, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page: PeoplePage) => page.next,
  });
}

export function useLimits(): UseQueryResult<LimitsOnSpend> {
  const { api } = useServices();
  return useQuery({ queryKey: [...KEY, "limits"], queryFn: () => api.accounts.limits() });
}

export function useAudit(): UseInfiniteQueryResult<InfiniteData<AuditPage>> {
  const { api } = useServices();
  return useInfiniteQuery({
    queryKey: [...KEY, "audit"],
    queryFn: ({ pageParam }) => api.accounts.audit(pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: (page: AuditPage) => page.next,
  });
}

/** Changes something about accounts; whatever is shown of them is read again. */
export function useAccountChange<Asked, Answer>(
  change: (api: AccountsApi, asked: Asked) => Promise<Answer>,
): UseMutationResult<Answer, Error, Asked> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: Asked) => change(api.accounts, asked),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
