/** Puts the setup report into the clipboard and says so. */

import { useQueryClient } from "@tanstack/react-query";

import { SETUP_KEY } from "../api/hooks";
import { useServices } from "../services";
import { strings } from "../strings";
import { notify, notifyError } from "../toasts/toasts";
import { renderReport } from "./report";

export function useCopyReport(): () => Promise<void> {
  const { api } = useServices();
  const queries = useQueryClient();
  return async () => {
    try {
      const setup = await queries.query({
        queryKey: SETUP_KEY,
        queryFn: () => api.readSetup(),
        staleTime: "static",
      });
      await writeClipboard(renderReport(setup));
      notify(strings.notices.reportCopied);
    } catch (error) {
      notifyError(strings.notices.copyFailed, error);
    }
  };
}

/** Browsers hide the clipboard from plain http, and ask the person everywhere else. */
async function writeClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new ClipboardClosed();
  }
}

class ClipboardClosed extends Error {
  readonly hint = strings.notices.copyFailedHint;

  constructor() {
    super(strings.notices.copyFailed);
  }
}
