/** The session that the address names, as a search leads to it: what it was about, its phases, what it showed. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "wouter";

import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import { buttonClass } from "../../../ui/button";
import { EmptyLine } from "../../../ui/empty";
import { QueryError } from "../../../ui/error-panel";
import { Section } from "../../../ui/section";
import { Loading, SkeletonRows } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { CoachSessionSeen } from "../../../wire/generated";

const text = coachStrings.dashboard;

/** Nothing is shown unless the address names a session. */
export function FoundSession(): ReactNode {
  const [address] = useSearchParams();
  const id = address.get("session");
  return id === null || id === "" ? null : <Named key={id} id={id} />;
}

function Named({ id }: { id: string }): ReactNode {
  const { api } = useServices();
  const found = useQuery({ queryKey: ["coach", "session", id], queryFn: () => api.coach.session(id) });
  return (
    <Section
      heading={text.found}
      className="mt-8"
      aside={
        <Link href="/coach" className={buttonClass("quiet")}>
          {text.foundClose}
        </Link>
      }
    >
      {found.data !== undefined && <Seen seen={found.data} />}
      {found.isPending && (
        <Loading label={text.foundLoading}>
          <SkeletonRows />
        </Loading>
      )}
      {found.isLoadingError && <QueryError title={text.foundFailed} query={found} />}
    </Section>
  );
}

function Seen({ seen: { session, phases, gaps } }: { seen: CoachSessionSeen }): ReactNode {
  const { issueNumber, issueTitle, status, startedAt } = session;
  return (
    <article className="cover py-3 pr-4 pl-8">
      <h3 className="font-sans text-[1.0625rem] font-semibold">
        {issueNumber !== null && <span className="text-door-ink">#{issueNumber} </span>}
        {issueTitle ?? text.noIssue}
      </h3>
      <p className="text-base text-ink-soft">
        {text.foundStatus[status]}
        {startedAt !== null && (
          <>
            {" · "}
            <When at={startedAt} as="moment" />
          </>
        )}
      </p>
      {phases.length === 0 ? (
        <EmptyLine>{text.foundNoPlan}</EmptyLine>
      ) : (
        <ol className="mt-2 list-decimal pl-6" aria-label={text.foundPhases}>
          {phases.map(({ id, title, status: step }) => (
            <li key={id}>
              {title} <span className="text-ink-soft">· {text.foundPhase[step]}</span>
            </li>
          ))}
        </ol>
      )}
      {gaps.length > 0 && (
        <p className="mt-2 text-base">
          {text.foundGaps}: {gaps.join(", ")}
        </p>
      )}
    </article>
  );
}
