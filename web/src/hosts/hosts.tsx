/** The coding agents: which are guarded, whether that works, and changing it. Guard and the settings show them. */

import { type ReactNode, useState } from "react";

import { guardHostsStrings } from "../strings-guard-hosts";
import { Answered } from "../ui/answered";
import { SkeletonRows } from "../ui/skeleton";
import { useHosts, type Wish } from "./hooks";
import { HostCard } from "./host-card";
import { PlanDialog } from "./plan-dialog";

const text = guardHostsStrings;

export function Hosts(): ReactNode {
  const hosts = useHosts();
  const [wish, setWish] = useState<Wish | null>(null);
  const chosen = hosts.data?.hosts.find(({ cli }) => cli === wish?.cli);
  return (
    <Answered query={hosts} words={text} skeleton={<SkeletonRows />}>
      {(found) => (
        <>
          <p className="max-w-2xl text-ink-soft">{text.lead}</p>
          <ul className="mt-5 grid items-start gap-4 lg:grid-cols-2">
            {found.hosts.map((host) => (
              <li key={host.cli}>
                <HostCard host={host} project={found.project} onWish={setWish} />
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
      )}
    </Answered>
  );
}
