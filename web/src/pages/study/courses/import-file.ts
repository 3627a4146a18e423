/** What a file is that somebody wants to import, and whether it can be. Pure. */

import { ApiError } from "../../../api/errors";
import type { StudyImport } from "../../../api/study-api";
import { coursesStrings } from "../../../strings-study-courses";

const text = coursesStrings.import;
/** More would not fit into what the server takes. */
export const MOST_BYTES = 64 * 1024 * 1024;
const ENDINGS: Record<string, StudyImport> = {
  apkg: "anki",
  colpkg: "anki",
  csv: "csv",
  tsv: "csv",
  txt: "csv",
  zip: "exercism",
};
export const ACCEPTED = Object.keys(ENDINGS).map((ending) => `.${ending}`).join(",");

export function kindOf(name: string): StudyImport | null {
  const ending = name.split(".").at(-1)?.toLowerCase() ?? "";
  return ENDINGS[ending] ?? null;
}

/** Why a file cannot be imported; nothing when it can be tried. */
export function refusalOf({ name, size }: { name: string; size: number }): ApiError | null {
  if (kindOf(name) === null) return new ApiError(text.unknown(name), text.unknownHint, null);
  if (size > MOST_BYTES) return new ApiError(text.tooLarge(name, size), text.tooLargeHint(MOST_BYTES), null);
  return null;
}
