/** Texts of memory documents that are not saved yet. */

import { createDrafts } from "../../ui/forms/drafts";

export const useDrafts = createDrafts("paige-memory-documents");
