/** Fetches the editor when it is needed first. */

import type { ReactNode } from "react";

import { sessionStrings } from "../../../../strings-study-session";
import { Awaited } from "../../../../ui/awaited";
import { late, useLate } from "../../../../ui/late";
import type { WorkEditorProps } from "./work-editor";

const { loadingEditor, editorFailed, editorFailedHint } = sessionStrings.file;
const WORDS = { loading: loadingEditor, failed: editorFailed, failedHint: editorFailedHint };
const EDITOR = late(() => import("./work-editor"));

export function LoadedEditor(props: WorkEditorProps): ReactNode {
  const { part, state, retry } = useLate(EDITOR);
  if (part !== null) return <part.WorkEditor key={props.path} {...props} />;
  return <Awaited state={state} retry={retry} words={WORDS} className="h-56" />;
}
