/** The server's answers as React hooks. */

import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import { type Api, useServices } from "../services";
import { strings } from "../strings";
import { notifyError } from "../ui/toasts";
import type { AccountSignIn, Setup } from "./generated";
import { isSignInNeeded } from "./http";
import { adoptSession, type AnySession, SESSION_KEY, SIGNED_OUT } from "./session-cache";

export const SETUP_KEY = ["setup"] as const;

export function useSetup(): UseQueryResult<Setup> {
  const { api } = useServices();
  return useQuery({ queryKey: SETUP_KEY, queryFn: () => api.readSetup() });
}

export function useSession(): UseQueryResult<AnySession> {
  const { api } = useServices();
  return useQuery({ queryKey: SESSION_KEY, queryFn: () => readSession(api) });
}

export function useSignIn(): UseMutationResult<AnySession, Error, string> {
  const { api } = useServices();
  return useEntering((passcode) => api.signIn(passcode));
}

export function useAccountSignIn(): UseMutationResult<AnySession, Error, AccountSignIn> {
  const { api } = useServices();
  return useEntering((asked) => api.signInAs(asked));
}

function useEntering<Asked>(enter: (asked: Asked) => Promise<AnySession>): UseMutationResult<AnySession, Error, Asked> {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: enter,
    onSuccess: (session) => {
      adoptSession(queries, session);
    },
  });
}

export function useSignOut(): UseMutationResult<AnySession> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => api.signOut(),
    onSuccess: (session) => {
      adoptSession(queries, session);
    },
    onError: (error) => {
      notifyError(strings.notices.signOutFailed, error);
    },
  });
}

/** A server that hides even the session behind the passcode says the same thing with its 401. */
async function readSession(api: Api): Promise<AnySession> {
  try {
    return await api.readSession();
  } catch (error) {
    if (isSignInNeeded(error)) return SIGNED_OUT;
    throw error;
  }
}
