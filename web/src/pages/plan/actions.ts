/** What the Plan page does, as React hooks. */

import { useMutation, type UseMutationResult, useQueryClient } from "@tanstack/react-query";

import { useServices } from "../../services";
import type { PlanAsk, PlanDecide, PlanGate, PlanStarted, PlanText, PlanWrite } from "../../wire/generated";
import { MEMORY_KEY } from "../../wire/memory-cache";
import { fileKey, PLAN_KEY, PROPOSALS_KEY, takeInDeleted, takeInFile, takeInRun } from "./cache";
import { useFileDrafts } from "./document/file-drafts";
import type { Reply } from "./gates/interaction";

/** `onStarted` is called even when the news of the run have replaced whatever asked. */
export function useAsk(onStarted: (started: PlanStarted) => void): UseMutationResult<PlanStarted, Error, PlanAsk> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ask) => plan.ask(ask),
    onSuccess: (started) => {
      onStarted(started);
      takeInRun(queries);
    },
  });
}

interface Branching {
  run: string;
  /** Null asks the same again. */
  input: string | null;
}

/** Asks something else where a run began. What was said there stays, one step aside. */
export function useBranch(onStarted: (started: PlanStarted) => void): UseMutationResult<PlanStarted, Error, Branching> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ run, input }) => plan.branch(run, input),
    onSuccess: (started) => {
      onStarted(started);
      takeInRun(queries);
    },
  });
}

/** Answers a question. Whatever comes of it, also that somebody was quicker, the session is read again. */
export function useAnswer(gate: PlanGate): UseMutationResult<PlanGate, Error, Reply> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reply) => plan.answer(gate.run, gate.gate, { revision: gate.revision, reply: { ...reply } }),
    onSettled: () => {
      takeInRun(queries);
    },
  });
}

export function useGoOn(): UseMutationResult<PlanStarted, Error, string> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (run) => plan.goOn(run),
    onSettled: () => {
      takeInRun(queries);
    },
  });
}

export function useStop(): UseMutationResult<PlanStarted, Error, string> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (run) => plan.stop(run),
    onSettled: () => {
      takeInRun(queries);
    },
  });
}

export function useSaveFile(path: string): UseMutationResult<PlanText, Error, PlanWrite> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (write) => plan.writeFile(path, write),
    onSuccess: (written, { text }) => {
      // Before the file is shown in its new version: a draft of an old one would look like a conflict.
      useFileDrafts.getState().saved(written.path, text, written.version);
      queries.setQueryData<PlanText>(fileKey(written.path), written);
      takeInFile(queries, { path: written.path, action: "written" });
    },
    onError: () => {
      // Somebody may have been quicker: both texts are shown then.
      void queries.invalidateQueries({ queryKey: fileKey(path) });
    },
  });
}

/** `onDeleted` gets what writes the file again; it is called even when the news have closed whatever asked. */
export function useDeleteFile(
  path: string,
  onDeleted: (undo: () => Promise<unknown>) => void,
): UseMutationResult<unknown, Error, PlanText> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ version }) => plan.deleteFile(path, version),
    onSuccess: (_, { text }) => {
      onDeleted(async () => {
        const written = await plan.writeFile(path, { text });
        takeInFile(queries, { path: written.path, action: "written" });
      });
      takeInDeleted(queries, path);
      void queries.invalidateQueries({ queryKey: [...PLAN_KEY, "files"] });
    },
  });
}

export function useDecide(key: string): UseMutationResult<unknown, Error, PlanDecide> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decide) => plan.decide(key, decide),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: PROPOSALS_KEY });
      void queries.invalidateQueries({ queryKey: MEMORY_KEY });
    },
  });
}
