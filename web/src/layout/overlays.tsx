/** The dialogs and panels that lie over a page. */

import { Component, lazy, type ReactNode, Suspense, useEffect } from "react";

import { type Overlay, useOverlay } from "../keyboard/overlay";
import { strings } from "../strings";
import { notifyError } from "../toasts/toasts";

const load = {
  palette: async () => ({ default: (await import("../palette/palette")).Palette }),
  shortcuts: async () => ({ default: (await import("../keyboard/shortcuts-dialog")).ShortcutsDialog }),
  notices: async () => ({ default: (await import("../notices/panel")).NoticesPanel }),
  more: async () => ({ default: (await import("./more-panel")).MorePanel }),
} satisfies Record<Overlay, unknown>;
const Palette = lazy(load.palette);
const ShortcutsDialog = lazy(load.shortcuts);
const NoticesPanel = lazy(load.notices);
const MorePanel = lazy(load.more);

export function Overlays(): ReactNode {
  const shown = useOverlay((overlay) => overlay.shown);
  useEffect(fetchDialogs, []);
  return (
    // A new dialog gets a new guard.
    <OverlayGuard key={shown}>
      <Suspense>
        {shown === "palette" && <Palette />}
        {shown === "shortcuts" && <ShortcutsDialog />}
        {shown === "notices" && <NoticesPanel />}
        {shown === "more" && <MorePanel />}
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
