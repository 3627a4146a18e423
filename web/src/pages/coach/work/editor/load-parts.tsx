/** Fetches the editor when a file is opened first. */

import { type ReactNode, useEffect, useState } from "react";

import { coachStrings } from "../../../../strings-coach";
import { ErrorPanel } from "../../../../ui/error-panel";
import { Loading, Skeleton } from "../../../../ui/skeleton";

type Parts = typeof import("./parts");

const text = coachStrings.editor;

let fetched: Parts | null = null;

export function WithEditor({ children }: { children: (parts: Parts) => ReactNode }): ReactNode {
  const [state, setState] = useState<"loading" | "failed" | "ready">(fetched === null ? "loading" : "ready");
  useEffect(() => {
    if (state !== "loading") return;
    let isLeft = false;
    void fetchParts().then((areThere) => {
      if (!isLeft) setState(areThere ? "ready" : "failed");
    });
    return () => {
      isLeft = true;
    };
  }, [state]);
  if (state === "ready" && fetched !== null) return children(fetched);
  if (state === "failed") {
    return (
      <div className="px-4">
        <ErrorPanel
          title={text.failed}
          message={text.failedHint}
          onRetry={() => {
            setState("loading");
          }}
        />
      </div>
    );
  }
  return (
    <Loading label={text.loading}>
      <Skeleton className="m-4 h-80" />
    </Loading>
  );
}

async function fetchParts(): Promise<boolean> {
  try {
    fetched = await import("./parts");
    return true;
  } catch {
    return false;
  }
}
