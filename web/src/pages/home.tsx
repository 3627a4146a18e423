/** Home: what Paige is, its four doors, and what is set up. */

import type { ReactNode } from "react";

import { useSession, useSetup } from "../api/hooks";
import { mayDo } from "../api/session-cache";
import { useSettings } from "../api/settings-hooks";
import { Page } from "../layout/page";
import { SetupSection } from "../setup/setup-section";
import { strings } from "../strings";
import { useTour } from "../tour/tour-store";
import { QueryError } from "../ui/error-panel";
import { late, useLate } from "../ui/late";
import { Loading, Skeleton } from "../ui/skeleton";
import type { Setup, SettingsSeen } from "../wire/generated";
import { DoorCard } from "./door-card";

const FIRST_RUN = late(() => import("../tour/first-run"));

export function HomePage(): ReactNode {
  return (
    <Page title={strings.home} heading={strings.welcome.heading} lead={strings.welcome.lead}>
      <HomeContent />
    </Page>
  );
}

function HomeContent(): ReactNode {
  const setup = useSetup();
  if (setup.data !== undefined) return <HomeSections setup={setup.data} />;
  if (setup.isError) return <QueryError title={strings.setup.failed} query={setup} />;
  return <HomeSkeleton />;
}

function HomeSections({ setup }: { setup: Setup }): ReactNode {
  const session = useSession();
  const open = setup.doors.filter(({ id }) => mayDo(session.data, id));
  return (
    <>
      <Beginning />
      <section aria-labelledby="doors-heading" className="mt-10">
        <h2 id="doors-heading" className="sr-only">
          {strings.welcome.doors}
        </h2>
        <ul className="grid gap-5 sm:grid-cols-2">
          {open.map((door) => (
            <DoorCard key={door.id} door={door} />
          ))}
        </ul>
      </section>
      <SetupSection setup={setup} />
    </>
  );
}

/** Asked once, of somebody who has just come. */
function Beginning(): ReactNode {
  const hasBegun = useTour((tour) => tour.hasBegun);
  const seen = useSettings().data;
  return seen?.firstRun === true && !hasBegun ? <FirstRunFetched seen={seen} /> : null;
}

function FirstRunFetched({ seen }: { seen: SettingsSeen }): ReactNode {
  const { part } = useLate(FIRST_RUN);
  return part === null ? null : <part.FirstRun seen={seen} />;
}

function HomeSkeleton(): ReactNode {
  return (
    <Loading label={strings.setup.loading}>
      <div className="mt-10 grid gap-5 sm:grid-cols-2">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </div>
      <Skeleton className="mt-14 h-8 w-56" />
      <div className="mt-5 grid gap-x-12 gap-y-8 xl:grid-cols-2">
        <SkeletonRows />
        <SkeletonRows />
      </div>
    </Loading>
  );
}

function SkeletonRows(): ReactNode {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-6 w-32" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  );
}
