/** A CodeMirror editor in a page: made once, and told when the text changes from outside. */

import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";

interface EditorProps {
  /** The text at first; another one replaces what is there. */
  value: string;
  onChange: (text: string) => void;
  onSave: () => void;
}

interface Editor {
  /** Where it is drawn. */
  place: RefObject<HTMLDivElement | null>;
  view: RefObject<EditorView | null>;
}

/** What an editor is made with; the keys include the one that saves. */
type MakeExtensions<Props> = (props: Props, save: () => boolean) => Extension;

export function useEditor<Props extends EditorProps>(props: Props, extensions: MakeExtensions<Props>): Editor {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  const make = useRef(extensions);
  /** What was typed and has not come back as `value`; under load it comes back late. */
  const told = useRef<string[]>([]);
  useEffect(() => {
    latest.current = props;
  });

  useEffect(() => {
    if (place.current === null) return;
    const save = (): boolean => {
      latest.current.onSave();
      return true;
    };
    const tell = EditorView.updateListener.of((update) => {
      const text = update.state.doc.toString();
      if (!update.docChanged || text === latest.current.value) return;
      told.current.push(text);
      latest.current.onChange(text);
    });
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({ doc: latest.current.value, extensions: [make.current(latest.current, save), tell] }),
    });
    view.current = editor;
    return () => {
      view.current = null;
      editor.destroy();
    };
  }, []);

  const { value } = props;
  useEffect(() => {
    const editor = view.current;
    const echo = told.current.indexOf(value);
    told.current.splice(0, echo + 1);
    if (editor === null || echo >= 0 || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return { place, view };
}
