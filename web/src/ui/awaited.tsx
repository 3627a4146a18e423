/** What stands where a part will be: a skeleton, or that it could not be fetched and a way to try again. */

import type { ReactNode } from "react";

import { ErrorPanel } from "./error-panel";
import type { LateState } from "./late";
import { Loading, Skeleton } from "./skeleton";

interface AwaitedProps {
  state: LateState;
  retry: () => void;
  words: { loading: string; failed: string; failedHint: string };
  /** The size of the skeleton. */
  className: string;
}

export function Awaited({ state, retry, words, className }: AwaitedProps): ReactNode {
  if (state === "ready") return null;
  if (state === "failed") return <ErrorPanel title={words.failed} message={words.failedHint} onRetry={retry} />;
  return (
    <Loading label={words.loading}>
      <Skeleton className={className} />
    </Loading>
  );
}
