/** What links inside of texts do. A page that has somewhere to lead to says so; elsewhere they are only words. */

import { createContext } from "react";

import type { Pointer } from "./pointer";

export interface MarkdownLinks {
  /** Opens a file of the workspace. */
  openFile: (path: string) => void;
  /** Opens the lines that a pointer points at. */
  openLines: (pointer: Pointer) => void;
  /** The lines that are open. */
  lines: Pointer | null;
}

export const MarkdownLinksContext = createContext<MarkdownLinks | null>(null);
