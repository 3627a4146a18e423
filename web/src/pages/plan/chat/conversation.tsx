/** A session: everything that happened in it, and where one goes on. */

import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo } from "react";

import { planStrings } from "../../../strings-plan";
import { Button, IconButton } from "../../../ui/button";
import type { PlanTranscript } from "../../../wire/generated";
import { useAddress } from "../address";
import { useLive } from "../live";
import { useRuns } from "../runs";
import { Announcer } from "./announcer";
import { noteSeen } from "./branching";
import { Composer } from "./composer";
import { ConversingContext } from "./conversing";
import { FindBar } from "./find/find-bar";
import { useFindBox } from "./find/find-box";
import { useFind } from "./find/use-find";
import { focusComposer } from "./focus";
import { useConversationKeys, useLandingRow } from "./moving";
import { READING } from "./reading-width";
import { Rows } from "./rows";
import { RunView } from "./run-view";
import { useReading } from "./use-reading";

const text = planStrings.chat;

export function Conversation({ transcript }: { transcript: PlanTranscript }): ReactNode {
  const { session, branches } = transcript;
  const runs = useRuns(transcript);
  const { pane, content, place, isAtEnd, hasNews } = useReading(useNewest(transcript));
  const isSearched = useFindBox((box) => box.session === session.id);
  const search = useFind(session.id, runs, place, content);
  const { find, go } = useAddress();
  const scroller = useCallback(() => pane.current, [pane]);
  useConversationKeys(session.id, place, runs.runs.length);
  useLandingRow(session.id, place);
  useEffect(() => {
    noteSeen(session.id, runs.runs);
  }, [session.id, runs.runs]);
  useEffect(() => {
    if (find !== null) useFindBox.getState().open(session.id, find);
  }, [session.id, find]);
  const last = transcript.runs.at(-1);
  const conversing = useMemo(() => ({ session: session.id, place, branches }), [session.id, place, branches]);
  return (
    <ConversingContext value={conversing}>
      <div className="flex flex-col lg:h-full">
        {isSearched && (
          <FindBar
            {...search}
            isReading={!runs.isWhole}
            onClose={() => {
              useFindBox.getState().close();
              if (find !== null) go({ find: null }, { replace: true });
              focusComposer();
            }}
          />
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          {/* What is read is kept in its place by ourselves, also where browsers do not do it. */}
          <div ref={pane} className="min-h-0 flex-1 scroll-py-4 [overflow-anchor:none] lg:overflow-auto">
            <div ref={content} className={`${READING} py-6 [overflow-anchor:none] lg:pt-8`}>
              <h2 className="sr-only">{text.region}</h2>
              <Rows runs={runs} place={place} scroller={scroller}>
                {(run, isLast) => <RunView session={session.id} run={run} isLast={isLast} />}
              </Rows>
            </div>
          </div>
          {!isAtEnd && (
            <Newest
              hasNews={hasNews}
              onClick={() => {
                place.toEnd();
              }}
            />
          )}
        </div>
        <Announcer runs={transcript.runs} />
        <div className={READING}>
          <Composer session={session} lastRun={last} />
        </div>
      </div>
    </ConversingContext>
  );
}

/** The way to the end for who reads above; nobody is taken there. */
function Newest({ hasNews, onClick }: { hasNews: boolean; onClick: () => void }): ReactNode {
  return (
    <div
      data-unprinted
      className="pointer-events-none z-10 flex justify-center max-lg:fixed max-lg:right-4 max-lg:bottom-20 md:max-lg:bottom-4 lg:absolute lg:inset-x-0 lg:bottom-3"
    >
      {hasNews ? (
        <Button className="pointer-events-auto rounded-full! whitespace-nowrap shadow-md" onClick={onClick}>
          <ArrowDown aria-hidden className="size-4" />
          {text.newBelow}
        </Button>
      ) : (
        <IconButton
          label={text.toEnd}
          className="pointer-events-auto rounded-full! border border-edge bg-card text-ink shadow-md hover:border-accent hover:text-accent"
          onClick={onClick}
        >
          <ArrowDown aria-hidden className="size-5" />
        </IconButton>
      )}
    </div>
  );
}

/** Something else whenever something is new at the end. */
function useNewest({ total, runs }: PlanTranscript): string {
  const last = runs.at(-1);
  const written = useLive(({ writings }) => (last === undefined ? 0 : (writings[last.id]?.text.length ?? 0)));
  if (last === undefined) return "";
  return [total, last.state, last.said.length, last.gates.length, last.lesson, written].join();
}
