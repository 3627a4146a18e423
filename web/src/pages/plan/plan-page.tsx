/** What the Plan page is made of: the workspace, the conversation, and the document that is open. */

import "./plan.css";

import type { ReactNode } from "react";

import { MarkdownLinksContext } from "../../ui/markdown/links";
import { useAddress } from "./address";
import { ChatPane } from "./chat/chat-pane";
import { DocumentPane } from "./document/document-pane";
import { useWarningBeforeLeaving } from "./editor/file-drafts";
import { Panes } from "./layout/panes";
import { usePlanNews } from "./news";
import { WorkspacePane } from "./workspace/workspace-pane";

export { NewRequestButton, WorkspaceToggle } from "./layout/plan-header";

export function PlanPage(): ReactNode {
  const address = useAddress();
  const { session, file, lesson, lines } = address;
  usePlanNews(session);
  useWarningBeforeLeaving();
  const hasDocument = file !== null || lesson !== null || lines !== null;
  return (
    <MarkdownLinksContext value={address}>
      <Panes
        workspace={<WorkspacePane />}
        chat={<ChatPane key={session} session={session} />}
        document={hasDocument ? <DocumentPane /> : null}
      />
    </MarkdownLinksContext>
  );
}
