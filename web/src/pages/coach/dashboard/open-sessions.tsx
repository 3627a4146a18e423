/** Sessions that have not ended, and the way back into them. */

import { CirclePlay } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";

import { coachStrings } from "../../../strings-coach";
import { Button } from "../../../ui/button";
import { EmptyLine } from "../../../ui/empty";
import { Section } from "../../../ui/section";
import { When } from "../../../ui/when";
import type { InProgressSession } from "../../../wire/generated";
import { useCoachActions } from "../state/actions";
import { useNavigationAtStart } from "../state/at-start";

const text = coachStrings.dashboard;

export function OpenSessions({ sessions }: { sessions: InProgressSession[] }): ReactNode {
  const { resumeSession } = useCoachActions();
  const [, navigate] = useLocation();
  const awaitStart = useNavigationAtStart(() => {
    navigate("/coach/work");
  });
  return (
    <Section heading={text.sessions} className="mt-8">
      {sessions.length === 0 ? (
        <EmptyLine>{text.sessionsEmpty}</EmptyLine>
      ) : (
        <ul className="flex flex-col gap-3">
          {sessions.map(({ id, issueNumber, issueTitle, startedAt }) => (
            <li key={id} className="cover flex flex-wrap items-center gap-x-6 gap-y-2 py-3 pr-4 pl-8">
              <div className="min-w-0 flex-1">
                <p className="font-semibold">
                  {issueNumber !== null && <span className="text-door-ink">#{issueNumber} </span>}
                  {issueTitle ?? text.noIssue}
                </p>
                <p className="text-base text-ink-soft">
                  {text.since} <When at={startedAt} />
                </p>
              </div>
              <Button
                onClick={() => {
                  if (resumeSession(id)) awaitStart();
                }}
                aria-label={`${text.goOn}: ${issueTitle ?? text.noIssue}`}
              >
                <CirclePlay aria-hidden className="size-4" />
                {text.goOn}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
