/** A file of the open exercise: its text, what was typed over it, and what others made of it meanwhile. */

import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";

import { ApiError } from "../../../../api/errors";
import { fileKey } from "../../../../api/study-cache";
import { useServices } from "../../../../services";
import type { StudyFile } from "../../../../wire/generated";
import { useDraft } from "../drafts";

export interface WorkFile {
  found: UseQueryResult<StudyFile>;
  text: string;
  change: (text: string) => void;
  isChanged: boolean;
  /** Whether somebody else wrote the file after this window began to change it. */
  isStale: boolean;
  /** Writes what was typed; true when the file holds it then. */
  save: (over?: string) => Promise<boolean>;
  takeTheirs: () => void;
  isSaving: boolean;
  isSaved: boolean;
  error: Error | null;
}

export function useWorkFile(course: string, path: string): WorkFile {
  const { api } = useServices();
  const queries = useQueryClient();
  const queryKey = fileKey(course, path);
  const found = useQuery({
    queryKey,
    queryFn: () => api.study.readFile(course, path),
    staleTime: 0,
    refetchOnWindowFocus: "always",
  });
  const [kept, keep] = useDraft(`file/${path}`);
  const draft = readDraft(kept);
  const saving = useMutation({
    mutationFn: (write: { text: string; version: string }) => api.study.writeFile(course, path, write),
    onSuccess: (file) => {
      queries.setQueryData(queryKey, file);
      keep("");
    },
    onError: (error) => {
      if (isConflict(error)) void queries.invalidateQueries({ queryKey });
    },
  });
  const file = found.data;
  return {
    found,
    text: draft?.text ?? file?.text ?? "",
    change: (text) => {
      saving.reset();
      keep(text === file?.text ? "" : `${draft?.base ?? file?.version ?? ""}\n${text}`);
    },
    isChanged: draft !== null,
    isStale: draft !== null && file !== undefined && draft.base !== file.version && draft.text !== file.text,
    save: async (over) => {
      if (draft === null) return true;
      return saving
        .mutateAsync({ text: draft.text, version: over ?? draft.base })
        .then(() => true)
        .catch(() => false);
    },
    takeTheirs: () => {
      saving.reset();
      keep("");
    },
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    error: saving.error !== null && !isConflict(saving.error) ? saving.error : null,
  };
}

/** A draft is kept with the version it was begun on, in its first line. */
function readDraft(kept: string): { base: string; text: string } | null {
  const at = kept.indexOf("\n");
  return at < 0 ? null : { base: kept.slice(0, at), text: kept.slice(at + 1) };
}

function isConflict(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}
