/** The memory's answers as React hooks. */

import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import { useServices } from "../../services";
import { strings } from "../../strings";
import { type AddressParts, oneOf, useAddressParts } from "../../ui/address-bar";
import type {
  MemoryAdded,
  MemoryDocument,
  MemoryFile,
  MemoryForgotten,
  MemoryFound,
  MemoryItem,
  MemoryOverview,
  MemoryPolicies,
  MemoryRecent,
  MemoryShown,
  MemoryWrite,
  MemoryWritten,
} from "../../wire/generated";
import { MEMORY_KEY, shownKey, takeInForgotten } from "../../wire/memory-cache";
import type { MemoryFilter, MemoryQuestion } from "./api";

export function useOverview(): UseQueryResult<MemoryOverview> {
  const { memory } = useServices().api;
  return useQuery({ queryKey: [...MEMORY_KEY, "overview"], queryFn: () => memory.overview() });
}

/** The last answer stays until the next one is there, so that typing does not flicker. */
export function useSearch(question: MemoryQuestion, enabled: boolean): UseQueryResult<MemoryFound> {
  const { memory } = useServices().api;
  return useQuery({
    queryKey: [...MEMORY_KEY, "search", question],
    queryFn: () => memory.search(question),
    placeholderData: keepPreviousData,
    enabled,
  });
}

export function useRecent(filter: MemoryFilter, limit: number, enabled: boolean): UseQueryResult<MemoryRecent> {
  const { memory } = useServices().api;
  return useQuery({
    queryKey: [...MEMORY_KEY, "recent", filter, limit],
    queryFn: () => memory.recent(filter, limit),
    placeholderData: keepPreviousData,
    enabled,
  });
}

/** One memory; null when it was forgotten while it was shown. */
export function useMemoryShown(id: string): UseQueryResult<MemoryShown | null> {
  const { memory } = useServices().api;
  return useQuery<MemoryShown | null>({ queryKey: shownKey(id), queryFn: () => memory.show(id) });
}

export function useEdit(id: string): UseMutationResult<MemoryAdded, Error, string> {
  const { memory } = useServices().api;
  const refresh = useRefresh();
  return useMutation({ mutationFn: (text) => memory.edit(id, text), onSuccess: refresh });
}

export function useForgetPlan(id: string): UseQueryResult<MemoryForgotten> {
  const { memory } = useServices().api;
  return useQuery({
    queryKey: [...MEMORY_KEY, "plan", id],
    queryFn: () => memory.planForgetting(id),
    staleTime: 0,
    gcTime: 0,
  });
}

/** `onForgotten` is called even when the news of it has closed whatever asked. */
export function useForget(id: string, onForgotten: (done: MemoryForgotten) => void): UseMutationResult<MemoryForgotten> {
  const { memory } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => memory.forget(id),
    onSuccess: (done) => {
      onForgotten(done);
      takeInForgotten(queries, done.going.map((going) => going.id));
    },
  });
}

export function useFiles(): UseQueryResult<MemoryFile[]> {
  const { memory } = useServices().api;
  return useQuery({ queryKey: [...MEMORY_KEY, "files"], queryFn: () => memory.files() });
}

export function useDocument(path: string): UseQueryResult<MemoryDocument> {
  const { memory } = useServices().api;
  return useQuery({ queryKey: documentKey(path), queryFn: () => memory.readFile(path) });
}

export function useSaveDocument(path: string): UseMutationResult<MemoryWritten, Error, Omit<MemoryWrite, "path">> {
  const { memory } = useServices().api;
  const queries = useQueryClient();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (write) => memory.writeFile(path, write),
    onSuccess: (written) => {
      queries.setQueryData<MemoryDocument>(documentKey(path), written);
      return refresh();
    },
  });
}

/** Deletes a document; `onDeleted` gets what writes it again as it was. */
export function useDeleteDocument(
  path: string,
  onDeleted: (undo: () => Promise<unknown>) => void,
): UseMutationResult<unknown, Error, MemoryDocument> {
  const { memory } = useServices().api;
  const queries = useQueryClient();
  const readAgain = (): Promise<void> => queries.invalidateQueries({ queryKey: [...MEMORY_KEY, "files"] });
  return useMutation({
    mutationFn: ({ version }) => memory.deleteFile(path, version),
    onSuccess: (_, { text }) => {
      queries.removeQueries({ queryKey: documentKey(path) });
      onDeleted(async () => {
        await memory.writeFile(path, { text, base: "" });
        await readAgain();
      });
      return readAgain();
    },
  });
}

export function usePolicies(): UseQueryResult<MemoryPolicies> {
  const { memory } = useServices().api;
  return useQuery({ queryKey: [...MEMORY_KEY, "policies"], queryFn: () => memory.policies() });
}

/** Reads again what this window shows of the memory. */
function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: MEMORY_KEY });
}

function documentKey(path: string): readonly string[] {
  return [...MEMORY_KEY, "document", path];
}

// What the address of the page says: which part is shown, what is searched, what is open.

export const TABS = ["memories", "documents", "policies"] as const;
type Tab = (typeof TABS)[number];

interface Address {
  tab: Tab;
  query: string;
  scope: MemoryItem["scope"] | null;
  project: string | null;
  history: boolean;
  /** The memory that is open. */
  id: string | null;
  /** The document that is open. */
  file: string | null;
}

export interface AddressBar extends Address {
  go: AddressParts<"tab" | "query" | "scope" | "project" | "history" | "id" | "file">["go"];
}

export function useAddress(): AddressBar {
  const { found, go } = useAddressParts();
  return {
    tab: TABS.find((tab) => tab === found.get("tab")) ?? "memories",
    query: found.get("query") ?? "",
    scope: oneOf(found.get("scope"), strings.memory.scopes),
    project: found.get("project"),
    history: found.get("history") === "true",
    id: found.get("id"),
    file: found.get("file"),
    go,
  };
}

export function isScope(text: string): text is MemoryItem["scope"] {
  return Object.hasOwn(strings.memory.scopes, text);
}
