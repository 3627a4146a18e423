/** Reads files again that are open here, for whoever wants to know what the disk holds now. */

import { ApiError } from "../../../api/errors";
import type { Services } from "../../../services";
import { useFiles } from "./files";

/** A file that is saved all the time is not read for ever: whoever saves it looks at the disk anyway. */
const MOST_READS = 10;

/**
 * Takes over the text on the disk. An answer may be older than a save that was made meanwhile: then it
 * would bring back what is not there any more, so the file is read again.
 */
export async function readDisk({ api }: Pick<Services, "api">, path: string): Promise<void> {
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const before = useFiles.getState().files[path];
    if (before === undefined) return;
    const { content, binary } = await api.coach.file(path);
    if (useFiles.getState().files[path] === before && before.saving === null) {
      useFiles.getState().changeFile(path, { saved: content, isBinary: binary });
      return;
    }
  }
}

/** The same for a file that somebody changed. */
export async function takeDiskChange(services: Pick<Services, "api">, path: string): Promise<void> {
  try {
    await readDisk(services, path);
  } catch (error) {
    // It may be gone again by now; the tree says so.
    if (!(error instanceof ApiError)) throw error;
  }
}
