/** Requests that are being written, one for each session; they outlive a look elsewhere, and a reload. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

export interface Request {
  words: string;
  /** The name of a command; null as long as nobody has chosen one. */
  command: string | null;
  classId: string | null;
  memory: boolean;
}

export const EMPTY: Request = { words: "", command: null, classId: null, memory: true };

/** Where the request of a session that does not exist yet is kept. */
const NEW = "";

interface RequestStore {
  requests: Readonly<Record<string, Request>>;
  change: (session: string | null, changes: Partial<Request>) => void;
  /** Puts words into a new request, to be changed and sent. */
  begin: (request: Partial<Request>) => void;
  drop: (session: string | null) => void;
}

export const useRequest = create<RequestStore>()(
  persist(
    (set) => ({
      requests: {},
      change: (session, changes) => {
        const key = session ?? NEW;
        set(({ requests }) => ({ requests: { ...requests, [key]: { ...(requests[key] ?? EMPTY), ...changes } } }));
      },
      begin: (request) => {
        set(({ requests }) => ({ requests: { ...requests, [NEW]: { ...EMPTY, ...request } } }));
      },
      drop: (session) => {
        const key = session ?? NEW;
        set(({ requests }) => ({ requests: Object.fromEntries(Object.entries(requests).filter(([name]) => name !== key)) }));
      },
    }),
    { name: "paige-plan-requests", storage: createJSONStorage(() => sessionStorage) },
  ),
);

export function requestOf(requests: RequestStore["requests"], session: string | null): Request {
  return requests[session ?? NEW] ?? EMPTY;
}
