/** The dashboard: skills and counts at once, issues and materials when they are found. */

import { type ReactNode, useCallback, useEffect } from "react";
import { useStore } from "zustand";

import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import { ErrorPanel } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { ids } from "../state/asking";
import { useDashboard } from "../state/dashboard";
import { FoundSession } from "./found-session";
import { Gaps } from "./gaps";
import { Issues } from "./issues";
import { Katas } from "./katas";
import { Materials } from "./materials";
import { OpenSessions } from "./open-sessions";
import { Skills } from "./skills";
import { Stats } from "./stats";

const text = coachStrings.dashboard;

export function Dashboard(): ReactNode {
  const { connection, connectionState } = useServices();
  const isOpen = useStore(connectionState, ({ name }) => name === "open");
  const { state, skills, failed } = useDashboard();
  const ask = useCallback(() => {
    const isAsked = connection.send({ type: "dashboard:request", payload: { statsPeriod: "all" }, id: ids.dashboard });
    if (isAsked) useDashboard.setState({ issues: { state: "asking" }, materials: { state: "asking" }, failed: null });
  }, [connection]);
  useEffect(() => {
    if (isOpen) ask();
  }, [isOpen, ask]);
  if (failed !== null && state === null) {
    return <ErrorPanel title={text.failed} message={failed.message} hint={failed.hint} onRetry={ask} />;
  }
  return (
    <>
      <FoundSession />
      {state === null ? (
        <DashboardSkeleton />
      ) : (
        <>
          <OpenSessions sessions={state.inProgressSessions} />
          <div className="mt-10 grid gap-x-12 gap-y-10 xl:grid-cols-2">
            <Skills rows={state.dreyfus} skills={skills} />
            <Stats first={state.stats} />
          </div>
        </>
      )}
      <Issues />
      {state !== null && <Gaps />}
      {state !== null && <Katas katas={state.katas} />}
      <Materials onRetry={ask} />
    </>
  );
}

function DashboardSkeleton(): ReactNode {
  return (
    <Loading label={text.loading}>
      <Skeleton className="mt-8 h-20" />
      <div className="mt-10 grid gap-x-12 gap-y-10 xl:grid-cols-2">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </Loading>
  );
}
