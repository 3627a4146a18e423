/** Shows and hides the terminal. */

import { SquareTerminal } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useTerminal } from "../../state/terminal";
import { BarButton } from "../editor/bar-button";
import { usePanes } from "../layout/panes";

export function TerminalButton(): ReactNode {
  const isShown = useTerminal((terminal) => terminal.isShown);
  return (
    <BarButton
      icon={SquareTerminal}
      aria-pressed={isShown}
      onClick={() => {
        useTerminal.setState({ isShown: !isShown, refused: null });
        if (!isShown) usePanes.getState().show("editor");
      }}
      className="ml-auto"
    >
      {coachStrings.terminal.show}
    </BarButton>
  );
}
