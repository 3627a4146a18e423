/** What Paige said, the newest first; readers hear each message once. */

import { X } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { IconButton } from "../../../../ui/button";
import { Marked } from "../../../../ui/marked";
import { useCoachActions } from "../../state/actions";
import { type Said, useCoachSession } from "../../state/session";
import { PanelSection } from "./panel-section";

const text = coachStrings.messages;

export function Messages(): ReactNode {
  const said = useCoachSession((session) => session.said);
  return (
    <PanelSection title={text.heading}>
      {said.length === 0 ? (
        <p className="text-ink-soft">{text.empty}</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {said.toReversed().map((each) => (
            <Message key={each.id} said={each} />
          ))}
        </ul>
      )}
    </PanelSection>
  );
}

function Message({ said: { id, text: words, type, anchor } }: { said: Said }): ReactNode {
  const dismiss = useCoachSession((session) => session.dismiss);
  const { openFile } = useCoachActions();
  return (
    <li className="relative rounded-md border border-line bg-paper py-2 pr-10 pl-3">
      <p className="text-sm font-semibold text-door-ink">{text.kinds[type] ?? type}</p>
      <Marked className="block whitespace-pre-line" text={words} />
      {anchor !== null && (
        <button
          type="button"
          onClick={() => {
            openFile(anchor.path, anchor.startLine);
          }}
          className="mt-0.5 text-left text-base text-accent underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          {text.at(anchor.path, anchor.startLine)}
        </button>
      )}
      <IconButton
        label={text.dismiss}
        onClick={() => {
          dismiss(id);
        }}
        className="absolute top-0 right-0 size-10 text-ink-soft hover:text-ink"
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </li>
  );
}
