/** The dialogs that lie over a page. */

import { Component, lazy, type ReactNode, Suspense, useEffect } from "react";

import { useOverlay } from "../keyboard/overlay";
import { strings } from "../strings";
import { notifyError } from "../toasts/toasts";

const load = {
  palette: async () => ({ default: (await import("../palette/palette")).Palette }),
  shortcuts: async () => ({ default: (await import("../keyboard/shortcuts-dialog")).ShortcutsDialog }),
};
const Palette = lazy(load.palette);
const ShortcutsDialog = lazy(load.shortcuts);

export function Overlays(): ReactNode {
  const shown = useOverlay((overlay) => overlay.shown);
  useEffect(fetchDialogs, []);
  return (
    // A new dialog gets a new guard.
    <OverlayGuard key={shown}>
      <Suspense>
        {shown === "palette" && <Palette />}
        {shown === "shortcuts" && <ShortcutsDialog />}
      </Suspense>
    </OverlayGuard>
  );
}

/** Dialogs are not in the first load, to keep it small, but soon after: they open without the server. */
function fetchDialogs(): void {
  for (const fetchDialog of Object.values(load)) {
    fetchDialog().catch(() => {
      // Whoever opens the dialog is told.
    });
  }
}

/** A dialog that cannot be fetched must not take the page with it. */
class OverlayGuard extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    notifyError(strings.notices.dialogFailed, { hint: strings.notices.dialogFailedHint });
    useOverlay.getState().close();
  }

  override render(): ReactNode {
    return this.state.failed ? null : this.props.children;
  }
}
