/** Texts of the workspace that are not saved yet. */

import { createDrafts } from "../../../ui/forms/drafts";
import { useWarningBeforeLeaving as useWarning } from "../../../ui/forms/leaving";

export const useFileDrafts = createDrafts("paige-plan-files");

/** The browser asks before a tab is closed in which something is not saved. */
export function useWarningBeforeLeaving(): void {
  useWarning(useFileDrafts(({ drafts }) => Object.keys(drafts).length > 0));
}
