/** What tests of the Plan page need around them: its parts fetched, a window of some size, no leftovers. */

// Fetched before a test begins: while one runs, that would take longer than it waits for anything.
import "../document/code-editor";
import "../plan-page";

import { useFolds, useSizes } from "../../../ui/panes/sizes";
import { useEdits } from "../chat/branching";
import { useFindBox } from "../chat/find-bar";
import { useRequest } from "../chat/request";
import { useFileDrafts } from "../document/file-drafts";
import { useGateDrafts } from "../gates/gate-drafts";
import { useLive } from "../live";

/** Leaves nothing of one test for the next. */
export function cleanUp(): void {
  useRequest.setState(useRequest.getInitialState());
  useEdits.setState(useEdits.getInitialState());
  useFindBox.setState(useFindBox.getInitialState());
  useFileDrafts.setState(useFileDrafts.getInitialState());
  useGateDrafts.setState(useGateDrafts.getInitialState());
  useFolds.setState(useFolds.getInitialState());
  useSizes.setState(useSizes.getInitialState());
  useLive.setState(useLive.getInitialState());
  sessionStorage.clear();
}

export function setWidth(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: object) => void } };
  happyDOM.setViewport({ width, height: 900 });
}

/** A window with room for all parts. */
export function makeWide(): void {
  setWidth(1440);
}
