/** The pages of the coach, fetched together: they share what this window knows. */

import "./coach.css";

import { type ReactNode, useEffect } from "react";

import { useServices } from "../../services";
import { Dashboard } from "./dashboard/dashboard";
import { Practice } from "./practice";
import { followCoach } from "./state/news";
import { Work } from "./work/work";
import { WrapUp } from "./wrap-up";

function useFollowing(): void {
  const services = useServices();
  // Before anything on the page asks: an answer must find somebody who listens.
  useEffect(() => {
    followCoach(services);
  }, [services]);
}

export function DashboardPage(): ReactNode {
  useFollowing();
  return <Dashboard />;
}

export function WorkPage(): ReactNode {
  useFollowing();
  return <Work />;
}

export function PracticePage({ kata }: { kata: string }): ReactNode {
  useFollowing();
  return <Practice key={kata} id={kata} />;
}

export function WrapUpPage(): ReactNode {
  useFollowing();
  return <WrapUp />;
}
