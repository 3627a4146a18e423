/** Earlier requests: found by what was said in them, and gone on with. */

import { clsx } from "clsx";
import { CircleCheck, CircleDot, CircleSlash, GitBranch, LoaderCircle, type LucideIcon, PauseCircle, Search } from "lucide-react";
import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanSession } from "../../../wire/generated";
import { useRested } from "../../../ui/rested";
import { When } from "../../../ui/when";
import { useAddress } from "../address";
import { useOverview, useSessions } from "../hooks";
import { ROW } from "./group";

const text = planStrings.sessions;
const FIRST = 6;
const MOST = 200;
const REST_MS = 180;

const LOOKS: Record<PlanSession["state"] | "failed", { icon: LucideIcon; color: string }> = {
  running: { icon: LoaderCircle, color: "text-accent" },
  waiting: { icon: CircleDot, color: "text-warn" },
  ended: { icon: CircleCheck, color: "text-ok" },
  interrupted: { icon: PauseCircle, color: "text-warn" },
  failed: { icon: CircleSlash, color: "text-fail" },
};

export function Sessions(): ReactNode {
  const [words, setWords] = useState("");
  const [limit, setLimit] = useState(FIRST);
  const query = useRested(words.trim(), REST_MS);
  const waiting = useOverview().data?.waiting ?? 0;
  // One more than is shown, to know whether there are more.
  const found = useSessions({ query, limit: limit + 1 });
  return (
    <section aria-labelledby="sessions-heading">
      <div className="flex items-baseline justify-between px-2">
        <h2 id="sessions-heading" className="text-lg">
          {text.heading}
        </h2>
        {waiting > 0 && <span className="text-sm font-semibold text-warn">{text.waiting(waiting)}</span>}
      </div>
      <form
        role="search"
        className="relative mx-2 mt-2"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-ink-soft" />
        <input
          type="search"
          aria-label={text.search}
          placeholder={text.search}
          autoComplete="off"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
          }}
          className="min-h-10 w-full rounded-md border border-edge bg-card pr-2 pl-9 text-base placeholder:text-ink-soft"
        />
      </form>
      <p role="status" className="sr-only">
        {query !== "" && found.data !== undefined && text.found(Math.min(limit, found.data.sessions.length))}
      </p>
      <div className="mt-2">
        {found.data === undefined ? (
          <NotYet query={found} />
        ) : (
          <Rows sessions={found.data.sessions.slice(0, limit)} searched={words.trim()} />
        )}
        {found.data !== undefined && found.data.sessions.length > limit && limit < MOST && (
          <Button
            look="quiet"
            className="mx-2 mt-2"
            onClick={() => {
              setLimit(limit * 3);
            }}
          >
            {text.more}
          </Button>
        )}
      </div>
    </section>
  );
}

function NotYet({ query }: { query: ReturnType<typeof useSessions> }): ReactNode {
  if (query.isError) return <QueryError title={text.failed} query={query} />;
  return (
    <Loading label={text.loading}>
      <Skeleton className="mx-2 h-24" />
    </Loading>
  );
}

function Rows({ sessions, searched }: { sessions: PlanSession[]; searched: string }): ReactNode {
  if (sessions.length === 0) {
    return <p className="px-2 text-base text-ink-soft">{searched === "" ? text.empty : text.nothing}</p>;
  }
  return (
    <ul>
      {sessions.map((session) => (
        <Row key={session.id} session={session} searched={searched} />
      ))}
    </ul>
  );
}

function Row({ session, searched }: { session: PlanSession; searched: string }): ReactNode {
  const address = useAddress();
  const isOpen = address.session === session.id;
  const isFailed = session.state === "ended" && session.status !== null && session.status !== "success";
  const { icon: Icon, color } = LOOKS[isFailed ? "failed" : session.state];
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen ? "true" : undefined}
        onClick={() => {
          // What was looked for among the sessions is shown in this one.
          address.openSession(session.id, searched);
        }}
        className={clsx(ROW, isOpen && "bg-cover font-semibold")}
      >
        <Icon aria-hidden className={clsx("mt-1 size-4 shrink-0", color, session.state === "running" && "animate-spin")} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 [overflow-wrap:anywhere]">{session.title ?? text.untitled}</span>
          {session.branchOf !== null && (
            <span className="line-clamp-1 text-sm font-normal [overflow-wrap:anywhere] text-ink-soft">
              <GitBranch aria-hidden className="mr-1 inline size-3.5" />
              <span className="sr-only">{planStrings.branches.of(session.branchOf.title ?? text.untitled)}</span>
              <span aria-hidden>{session.branchOf.title ?? text.untitled}</span>
            </span>
          )}
          <span className="block text-sm font-normal text-ink-soft">
            {isFailed ? text.failedState : text.states[session.state]} · <When at={session.updatedAt} />
          </span>
        </span>
      </button>
    </li>
  );
}
