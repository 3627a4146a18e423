/** Fetches the editor when a file is opened first. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Awaited } from "../../../ui/awaited";
import { late, useLate } from "../../../ui/late";
import type { CodeEditorProps } from "./code-editor";

const { loading, editorFailed, editorFailedHint } = planStrings.editor;
const WORDS = { loading, failed: editorFailed, failedHint: editorFailedHint };
const EDITOR = late(() => import("./code-editor"));

export function LoadedEditor(props: CodeEditorProps): ReactNode {
  const { part, state, retry } = useLate(EDITOR);
  if (part !== null) return <part.CodeEditor {...props} />;
  return <Awaited state={state} retry={retry} words={WORDS} className="m-4 h-80" />;
}
