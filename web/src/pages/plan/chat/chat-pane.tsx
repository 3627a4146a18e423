/** The middle: a new request, or a session with everything that happened in it. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useTranscript } from "../hooks";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { READING } from "./reading-width";
import { Welcome } from "./welcome";

const text = planStrings.chat;

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
