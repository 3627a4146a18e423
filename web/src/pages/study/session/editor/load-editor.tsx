/** Fetches the editor when it is needed first. */

import { type ComponentType, type ReactNode, useEffect, useState } from "react";

import { sessionStrings } from "../../../../strings-study-session";
import { ErrorPanel } from "../../../../ui/error-panel";
import { Loading, Skeleton } from "../../../../ui/skeleton";
import type { WorkEditorProps } from "./work-editor";

const text = sessionStrings.file;

let fetched: ComponentType<WorkEditorProps> | null = null;

export function LoadedEditor(props: WorkEditorProps): ReactNode {
  const [state, setState] = useState<"loading" | "failed" | "ready">(fetched === null ? "loading" : "ready");
  useEffect(() => {
    if (state !== "loading") return;
    let isLeft = false;
    void fetchEditor().then((isThere) => {
      if (!isLeft) setState(isThere ? "ready" : "failed");
    });
    return () => {
      isLeft = true;
    };
  }, [state]);
  if (state === "ready" && fetched !== null) {
    const Editor = fetched;
    return <Editor key={props.path} {...props} />;
  }
  if (state === "failed") {
    return (
      <ErrorPanel
        title={text.editorFailed}
        message={text.editorFailedHint}
        onRetry={() => {
          setState("loading");
        }}
      />
    );
  }
  return (
    <Loading label={text.loadingEditor}>
      <Skeleton className="h-56" />
    </Loading>
  );
}

async function fetchEditor(): Promise<boolean> {
  try {
    fetched = (await import("./work-editor")).WorkEditor;
    return true;
  } catch {
    return false;
  }
}
