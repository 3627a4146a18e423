/** Says on every page that this is the demo, where it is one. */

import type { ReactNode } from "react";

import { useSession } from "../api/hooks";
import { strings } from "../strings";

export function DemoNote(): ReactNode {
  const session = useSession().data;
  if (session === undefined || !("demo" in session) || !session.demo) return null;
  return (
    <p data-unprinted className="border-b border-line bg-card px-4 py-2 text-sm text-ink-soft sm:px-8">
      {strings.demo}
    </p>
  );
}
