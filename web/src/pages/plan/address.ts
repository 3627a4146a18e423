/** What the address of the page says: which session, file, lesson and curriculum line are open. */

import { useMemo } from "react";
import { useSearchParams } from "wouter";

import { type Pointer, readPointer } from "../../ui/markdown";

export const PANES = ["workspace", "chat", "document"] as const;
export type Pane = (typeof PANES)[number];

interface Address {
  session: string | null;
  /** The words that are looked for in the session. */
  find: string | null;
  /** The file in the editor. */
  file: string | null;
  /** The line of the file that was asked for. */
  line: number | null;
  /** The lesson that is read. */
  lesson: string | null;
  /** The curriculum lines beside it. */
  lines: Pointer | null;
  /** Where there is no room for all parts: the one that is shown. */
  pane: Pane;
}

type Changes = Partial<Record<"session" | "find" | "file" | "line" | "lesson" | "lines" | "pane", string | null>>;

interface AddressBar extends Address {
  /** Changes parts of the address; `null` takes one out. */
  go: (changes: Changes, options?: { replace?: boolean }) => void;
  /** Opens a document; another one that was open makes room. */
  openLesson: (path: string) => void;
  openFile: (path: string, line?: number | null) => void;
  openLines: (pointer: Pointer) => void;
  openSession: (id: string | null, find?: string) => void;
  closeDocument: () => void;
}

export function useAddress(): AddressBar {
  const [found, setFound] = useSearchParams();
  return useMemo(() => {
    const go: AddressBar["go"] = (changes, options = {}) => {
      setFound((before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === "") after.delete(name);
          else after.set(name, value);
        }
        return after;
      }, options);
    };
    return {
      session: found.get("session"),
      find: found.get("find"),
      file: found.get("file"),
      line: readNumber(found.get("line")),
      lesson: found.get("lesson"),
      lines: readPointer(found.get("lines") ?? ""),
      pane: PANES.find((pane) => pane === found.get("pane")) ?? "chat",
      go,
      openLesson: (path) => {
        go({ lesson: path, file: null, line: null, lines: null, pane: "document" });
      },
      openFile: (path, line = null) => {
        go({ file: path, line: line === null ? null : String(line), lesson: null, lines: null, pane: "document" });
      },
      openLines: ({ path, start, end }) => {
        go({ lines: `${path}#L${start}-L${end}`, pane: "document" }, { replace: found.has("lines") });
      },
      openSession: (id, find = "") => {
        go({ session: id, find, pane: null });
      },
      closeDocument: () => {
        go({ lesson: null, file: null, line: null, lines: null, pane: null });
      },
    };
  }, [found, setFound]);
}

function readNumber(text: string | null): number | null {
  const number = Number(text);
  return text !== null && Number.isInteger(number) && number > 0 ? number : null;
}
