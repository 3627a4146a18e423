/** The coding agents: which are guarded, whether that works, and changing it. */

import { type ReactNode, useState } from "react";

import { guardHostsStrings } from "../../../strings-guard-hosts";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useHosts, type Wish } from "../hooks";
import { HostCard } from "./host-card";
import { PlanDialog } from "./plan-dialog";

const text = guardHostsStrings;

export function HostsTab(): ReactNode {
  const hosts = useHosts();
  const [wish, setWish] = useState<Wish | null>(null);
  if (hosts.data === undefined) {
    if (hosts.isError) return <QueryError title={text.failed} query={hosts} />;
    return (
      <Loading label={text.loading}>
        <div className="grid gap-4 lg:grid-cols-2">
          <Skeleton className="h-48" />
          <Skeleton className="h-48" />
        </div>
      </Loading>
    );
  }
  const chosen = hosts.data.hosts.find(({ cli }) => cli === wish?.cli);
  return (
    <>
      <p className="max-w-2xl text-ink-soft">{text.lead}</p>
      <ul className="mt-5 grid items-start gap-4 lg:grid-cols-2">
        {hosts.data.hosts.map((host) => (
          <li key={host.cli}>
            <HostCard host={host} project={hosts.data.project} onWish={setWish} />
          </li>
        ))}
      </ul>
      {wish !== null && chosen !== undefined && (
        <PlanDialog
          wish={wish}
          title={chosen.title}
          onClose={() => {
            setWish(null);
          }}
        />
      )}
    </>
  );
}
