/** Fetches a file that is made when it is asked for, and says what came of it. */

import { useState } from "react";

import { keep } from "../wire/download";
import { notify, notifyError } from "./toasts";

type File = Parameters<typeof keep>[0];

interface Words {
  exported: (name: string) => string;
  exportFailed: string;
}

export function useDownload<To>(words: Words, fetch: (to: To) => Promise<File>): { isBusy: boolean; download: (to: To) => void } {
  const [isBusy, setIsBusy] = useState(false);
  const run = async (to: To): Promise<void> => {
    setIsBusy(true);
    try {
      const file = await fetch(to);
      keep(file);
      notify(words.exported(file.name));
    } catch (error) {
      notifyError(words.exportFailed, error);
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, download: (to) => void run(to) };
}
