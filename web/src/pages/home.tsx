/** Home: what Paige is, its four doors, and what is set up. */

import { ClipboardCopy, Stethoscope } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { DOOR_ROUTES, SETTINGS_PATHS } from "../routes";
import { Page } from "../shell/page";
import { useTour } from "../shell/tour";
import { strings } from "../strings";
import { Button, buttonClass } from "../ui/button";
import { QueryError } from "../ui/error-panel";
import { late, useLate } from "../ui/late";
import { Marked } from "../ui/marked";
import { Checks, Facts, summarizeChecks, useCopyReport } from "../ui/setup";
import { Loading, Skeleton } from "../ui/skeleton";
import type { DoorStatus, SettingsSeen, Setup } from "../wire/generated";
import { useSession, useSetup } from "../wire/hooks";
import { mayDo } from "../wire/session-cache";
import { useSettings } from "./settings/hooks";

const FIRST_RUN = late(() => import("../shell/first-run"));

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

/** A door as an exercise book on the table: a cover in its colour, a label, a few words. */
function DoorCard({ door }: { door: DoorStatus }): ReactNode {
  const route = DOOR_ROUTES.find(({ door: id }) => id === door.id);
  if (route === undefined) return null;
  const Icon = route.icon;
  return (
    <li data-door={door.id} className="flex">
      <Link
        href={route.path}
        className="cover group flex w-full flex-col gap-4 py-5 pr-5 pl-9 transition-[translate,box-shadow] hover:-translate-y-0.5 hover:shadow-lg"
      >
        <span className="label flex items-center gap-4 px-5 py-4">
          <Icon aria-hidden className="size-7 shrink-0 text-door-ink" />
          <span>
            <span className="block font-heading text-xl font-semibold group-hover:underline">{door.title}</span>
            <span className="block text-base text-ink-soft">{door.audience}</span>
          </span>
        </span>
        <Marked text={door.summary} />
      </Link>
    </li>
  );
}

/** "What is set up" at a glance: the facts, and the checks that need a look. The rest is in the settings. */
function SetupSection({ setup }: { setup: Setup }): ReactNode {
  const copyReport = useCopyReport();
  const open = setup.checks.filter(({ status }) => status !== "ok");
  return (
    <section aria-labelledby="setup-heading" className="mt-14">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="setup-heading" className="text-2xl">
          {strings.setup.heading}
        </h2>
        <Button look="quiet" onClick={() => void copyReport()}>
          <ClipboardCopy aria-hidden className="size-4" />
          {strings.palette.copyReport}
        </Button>
      </div>
      <div className="mt-2 grid items-start gap-x-12 gap-y-8 xl:grid-cols-2">
        <section aria-labelledby="facts-heading">
          <h3 id="facts-heading" className="py-2.5 text-lg">
            {strings.setup.facts}
          </h3>
          <Facts setup={setup} />
        </section>
        <section aria-labelledby="checks-heading">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h3 id="checks-heading" className="py-2.5 text-lg">
              {strings.setup.checks}
            </h3>
            {setup.checks.length > 0 && <p className="text-ink-soft">{summarizeChecks(setup.checks)}</p>}
          </div>
          {(open.length > 0 || setup.checks.length === 0) && <Checks checks={open} />}
          <Link href={SETTINGS_PATHS.checks} className={`mt-3 ${buttonClass("quiet")}`}>
            <Stethoscope aria-hidden className="size-4.5" />
            {strings.setup.allChecks}
          </Link>
        </section>
      </div>
    </section>
  );
}
