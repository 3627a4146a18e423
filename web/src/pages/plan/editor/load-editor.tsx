/** Fetches the editor when a file is opened first. */

import { type ComponentType, type ReactNode, useEffect, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { ErrorPanel } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { CodeEditorProps } from "./code-editor";

const text = planStrings.editor;

let fetched: ComponentType<CodeEditorProps> | null = null;

export function LoadedEditor(props: CodeEditorProps): ReactNode {
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
    return <Editor {...props} />;
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
    <Loading label={text.loading}>
      <Skeleton className="m-4 h-80" />
    </Loading>
  );
}

async function fetchEditor(): Promise<boolean> {
  try {
    fetched = (await import("./code-editor")).CodeEditor;
    return true;
  } catch {
    return false;
  }
}
