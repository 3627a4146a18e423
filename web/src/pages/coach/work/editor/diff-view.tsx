/** Two texts of one file as one: what is gone, and what came instead. */

import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type ReactNode, useEffect, useRef } from "react";

import { language, plain } from "./setup";
import { languageOf } from "./languages";

interface DiffViewProps {
  label: string;
  language: string;
  before: string;
  after: string;
}

export function DiffView({ label, language: name, before, after }: DiffViewProps): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: after,
        extensions: [
          plain,
          EditorState.readOnly.of(true),
          EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
          unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
        ],
      }),
    });
    void languageOf(name).then((extension) => {
      if (editor.dom.isConnected) editor.dispatch({ effects: language.reconfigure(extension) });
    });
    return () => {
      editor.destroy();
    };
  }, [label, name, before, after]);
  return <div ref={place} className="h-full" />;
}
