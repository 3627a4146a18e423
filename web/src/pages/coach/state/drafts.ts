/** Texts of the project that are not saved yet, known by a mark of the text on the disk they were made from. */

import { createDrafts, type Draft } from "../../../ui/drafts";
import { useWarningBeforeLeaving as useWarning } from "../../../ui/leaving";

export const useDrafts = createDrafts("paige-coach-files");

/** A short mark of a text: the same text has the same one. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(36)}`;
}

/** Whether what is typed was made from another text than the one on the disk. */
export function isStale(saved: string, { base }: Draft): boolean {
  return markOf(saved) !== base;
}

/** The browser asks before a tab is closed in which something is not saved. */
export function useWarningBeforeLeaving(): void {
  useWarning(useDrafts(({ drafts }) => Object.keys(drafts).length > 0));
}
