/** The coding agents that Paige can be installed in; every change is shown before it happens. */

import type { ReactNode } from "react";

import { Hosts } from "../hosts/hosts";

export default function AgentsPage(): ReactNode {
  return (
    <div className="mt-6">
      <Hosts />
    </div>
  );
}
