/** The middle: a new request, or a session with everything that happened in it. */

import { ArrowDown } from "lucide-react";
import { type ReactNode, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanTranscript } from "../../../wire/generated";
import { useTranscript } from "../hooks";
import { Announcer } from "./announcer";
import { Composer } from "./composer";
import { RunView } from "./run-view";
import { useStick } from "./stick";
import { Welcome } from "./welcome";

const text = planStrings.chat;
const READING = "mx-auto w-full max-w-200 lg:px-6";

export function ChatPane({ session }: { session: string | null }): ReactNode {
  return session === null ? <NewRequest /> : <Session id={session} />;
}

function NewRequest(): ReactNode {
  return (
    <div className="flex flex-col lg:h-full">
      <div className="min-h-0 flex-1 lg:overflow-auto">
        <div className={`${READING} py-6 lg:py-10`}>
          <Welcome />
        </div>
      </div>
      <div className={READING}>
        <Composer session={null} />
      </div>
    </div>
  );
}

function Session({ id }: { id: string }): ReactNode {
  const found = useTranscript(id);
  if (found.data !== undefined) return <Conversation transcript={found.data} />;
  if (found.isError) {
    return (
      <div className={READING}>
        <QueryError title={text.failed} query={found} />
      </div>
    );
  }
  return (
    <Loading label={text.loading}>
      <div className={`${READING} flex flex-col gap-4 py-6`}>
        <Skeleton className="h-16 w-2/3" />
        <Skeleton className="h-64" />
      </div>
    </Loading>
  );
}

function Conversation({ transcript }: { transcript: PlanTranscript }): ReactNode {
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAtEnd, toEnd } = useStick(content, pane);
  const { session, runs } = transcript;
  return (
    <div className="flex flex-col lg:h-full">
      <div className="relative flex min-h-0 flex-1 flex-col">
        <div ref={pane} className="min-h-0 flex-1 scroll-py-4 lg:overflow-auto">
          <div ref={content} className={`${READING} flex flex-col gap-8 py-6 lg:pt-8`}>
            <h2 className="sr-only">{text.region}</h2>
            {runs.map((run, place) => (
              <RunView key={run.id} session={session.id} run={run} isLast={place === runs.length - 1} />
            ))}
          </div>
        </div>
        {!isAtEnd && runs.at(-1)?.state === "running" && (
          <Button
            look="quiet"
            className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full whitespace-nowrap shadow-md max-lg:hidden"
            onClick={toEnd}
          >
            <ArrowDown aria-hidden className="size-4" />
            {text.toEnd}
          </Button>
        )}
      </div>
      <Announcer runs={runs} />
      <div className={READING}>
        <Composer session={session} lastRun={runs.at(-1)} />
      </div>
    </div>
  );
}
