/** What is shown when Paige does not answer: what to do, how things stand, and it goes on by itself. */

import { type ReactNode, useEffect, useSyncExternalStore } from "react";

import { Page } from "../shell/page";
import { strings } from "../strings";
import { Fact, Facts } from "../ui/data/facts";
import { ErrorPanel } from "../ui/error-panel";
import { ApiError, hintOf } from "../wire/http";
import { offlineStrings as text } from "./strings";

const ASK_EVERY_MS = 3_000;

interface Asked {
  error: Error;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

/** Whether there was no answer at all, as opposed to one that says no. */
export function isSilence(error: Error): boolean {
  return error instanceof ApiError && error.status === null;
}

export function OfflinePage({ query }: { query: Asked }): ReactNode {
  const isOnline = useSyncExternalStore(listenToNetwork, () => navigator.onLine);
  useAskingAgain(query.refetch);
  return (
    <Page title={strings.brand} heading={text.heading} lead={text.lead}>
      <ErrorPanel
        title={query.error.message}
        message={hintOf(query.error) ?? ""}
        onRetry={() => void query.refetch()}
        retrying={query.isFetching}
      />
      <section aria-labelledby="state" className="mt-10 max-w-2xl">
        <h2 id="state" className="mb-2 text-xl">
          {text.state.heading}
        </h2>
        <Facts>
          <Fact name={text.state.device}>{isOnline ? text.state.online : text.state.offline}</Fact>
          <Fact name={text.state.server}>{text.state.silent(window.location.host)}</Fact>
        </Facts>
      </section>
    </Page>
  );
}

/** Asks every few seconds, and at once when the network or the reader returns. */
function useAskingAgain(ask: () => Promise<unknown>): void {
  useEffect(() => {
    const again = (): void => {
      if (document.visibilityState === "visible") void ask();
    };
    const timer = window.setInterval(again, ASK_EVERY_MS);
    window.addEventListener("online", again);
    document.addEventListener("visibilitychange", again);
    return () => {
      window.clearInterval(timer);
      window.removeEventListener("online", again);
      document.removeEventListener("visibilitychange", again);
    };
  }, [ask]);
}

function listenToNetwork(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}
