/** Reads a file again that was changed on the disk, if it is open here. */

import { ApiError } from "../../../api/errors";
import type { Services } from "../../../services";
import { useFiles } from "./files";

export async function takeDiskChange({ api }: Services, path: string): Promise<void> {
  if (!(path in useFiles.getState().files)) return;
  try {
    const { content, binary } = await api.coach.file(path);
    useFiles.getState().changeFile(path, { saved: content, isBinary: binary });
  } catch (error) {
    // It may be gone again by now; the tree says so.
    if (!(error instanceof ApiError)) throw error;
  }
}
