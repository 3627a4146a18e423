/** The coach beside the editor: session, phases, how much help, what Paige says, and what it was asked. */

import type { ReactNode } from "react";

import { useFiles } from "../../state/files";
import { useCoachSession } from "../../state/session";
import { Explanation, Review } from "./answers";
import { HintLevels } from "./hint-levels";
import { HintList } from "./hint-list";
import { Messages } from "./messages";
import { NudgeCard } from "./nudge-card";
import { Observer } from "./observer";
import { Phases } from "./phases";
import { SessionCard } from "./session-card";

export function CoachPanel({ withNudge }: { withNudge: boolean }): ReactNode {
  const id = useCoachSession((session) => session.id);
  const current = useFiles((files) => files.current);
  return (
    <div className="flex flex-col lg:bg-card">
      {withNudge && <NudgeCard />}
      <SessionCard />
      {id !== null && <Phases />}
      <Explanation />
      <HintLevels />
      {current !== null && <HintList path={current} />}
      <Messages />
      <Review />
      {id !== null && <Observer />}
    </div>
  );
}
