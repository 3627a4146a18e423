/** Settings as React hooks: what they are, changing them, and starting Paige again. */

import {
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import { type Services, useServices } from "../../services";
import type { RestartRequest, SettingsChange, SettingsSample, SettingsSeen } from "../../wire/generated";
import { isSignInNeeded } from "../../wire/http";
import { adoptSession, signedOut } from "../../wire/session-cache";

export const SETTINGS_KEY = ["settings"] as const;
const SAMPLE_KEY = [...SETTINGS_KEY, "sample"] as const;
const LOOKS = 120;
const BETWEEN_LOOKS_MS = 250;

export function useSettings(): UseQueryResult<SettingsSeen> {
  const { api } = useServices();
  return useQuery({ queryKey: [...SETTINGS_KEY, "seen"], queryFn: () => api.settings.read() });
}

export function useSample(): UseQueryResult<SettingsSample> {
  const { api } = useServices();
  return useQuery({ queryKey: SAMPLE_KEY, queryFn: () => api.settings.sample() });
}

/** Something that answers with the settings as they are afterwards. */
export function useSettingsChange<Asked>(
  change: (api: Services["api"]["settings"], asked: Asked) => Promise<SettingsSeen>,
): UseMutationResult<SettingsSeen, Error, Asked> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (asked: Asked) => change(api.settings, asked),
    onSuccess: (seen) => {
      takeIn(queries, seen);
    },
    // Somebody changed the file meanwhile: what is shown has to be what is there.
    onError: () => void queries.invalidateQueries({ queryKey: SETTINGS_KEY }),
  });
}

export function useChangeSettings(): UseMutationResult<SettingsSeen, Error, SettingsChange> {
  return useSettingsChange((settings, asked) => settings.change(asked));
}

export function useSampleChange(action: "add" | "remove"): UseMutationResult<SettingsSample, Error, void> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => (action === "add" ? api.settings.addSample() : api.settings.removeSample()),
    onSuccess: (sample) => {
      queries.setQueryData(SAMPLE_KEY, sample);
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey !== SAMPLE_KEY });
    },
  });
}

/** Starts Paige again at the same address and waits until it answers; everything is read again then. */
export function useRestart(): UseMutationResult<void, Error, NonNullable<RestartRequest["project"]>> {
  const { api, connection } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (project) => {
      const { boot } = await api.settings.restart({ project });
      await untilStartedAgain(api, boot);
    },
    onSuccess: async () => {
      connection.wakeUp();
      await queries.invalidateQueries();
    },
    onError: (error) => {
      if (isSignInNeeded(error)) adoptSession(queries, signedOut(queries));
    },
  });
}

async function untilStartedAgain(api: Services["api"], boot: string): Promise<void> {
  for (let left = LOOKS; left > 0; left -= 1) {
    try {
      if ((await api.settings.read()).boot !== boot) return;
    } catch (error) {
      if (isSignInNeeded(error) || left === 1) throw error;
    }
    await new Promise((done) => setTimeout(done, BETWEEN_LOOKS_MS));
  }
}

function takeIn(queries: QueryClient, seen: SettingsSeen): void {
  queries.setQueryData([...SETTINGS_KEY, "seen"], seen);
  void queries.invalidateQueries({ queryKey: ["setup"] });
}
