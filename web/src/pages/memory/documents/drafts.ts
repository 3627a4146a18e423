/** Texts of memory documents that are not saved yet. */

import { createDrafts } from "../../../ui/drafts";

export const useDrafts = createDrafts("paige-memory-documents");
