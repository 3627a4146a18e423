/** The page of one door: what it is for, what works now and what comes next. */

import { Check, CircleDashed, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { useSetup } from "../api/hooks";
import { usePageTitle } from "../layout/page";
import type { DoorRoute } from "../routes";
import { strings } from "../strings";
import { ErrorPanel, QueryError } from "../ui/error-panel";
import { Marked } from "../ui/marked";
import { Loading, Skeleton } from "../ui/skeleton";
import type { Door } from "../wire/generated";

export function DoorPage({ route }: { route: DoorRoute }): ReactNode {
  usePageTitle(route.title);
  const setup = useSetup();
  const door = setup.data?.doors.find(({ id }) => id === route.door);
  return (
    <div data-door={route.door}>
      <Cover route={route} door={door} />
      <DoorContent setup={setup} door={door} />
    </div>
  );
}

function Cover({ route, door }: { route: DoorRoute; door: Door | undefined }): ReactNode {
  const Icon = route.icon;
  return (
    <div className="cover py-6 pr-6 pl-10 sm:py-8 sm:pr-8 sm:pl-14">
      <div className="label inline-flex min-w-60 items-center gap-4 px-6 py-5 max-sm:flex">
        <Icon aria-hidden className="size-8 shrink-0 text-door-ink" />
        <div>
          <h1 tabIndex={-1} className="text-3xl">
            {route.title}
          </h1>
          {door !== undefined && <p className="text-ink-soft">{door.audience}</p>}
        </div>
      </div>
      {door !== undefined && <Marked className="mt-5 block max-w-2xl text-lg" text={door.summary} />}
    </div>
  );
}

function DoorContent({ setup, door }: { setup: ReturnType<typeof useSetup>; door: Door | undefined }): ReactNode {
  if (door !== undefined) return <Progress door={door} />;
  if (setup.isPending) return <ProgressSkeleton />;
  if (setup.isError) return <QueryError title={strings.setup.failed} query={setup} />;
  return (
    <ErrorPanel
      title={strings.door.missing}
      message={strings.door.missingHint}
      onRetry={() => void setup.refetch()}
      retrying={setup.isFetching}
    />
  );
}

function Progress({ door }: { door: Door }): ReactNode {
  return (
    <div className="mt-10 grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
      <Items heading={strings.door.works} items={door.works} empty={strings.door.worksEmpty} icon={Check} />
      <Items heading={strings.door.next} items={door.next} empty={strings.door.nextEmpty} icon={CircleDashed} />
    </div>
  );
}

interface ItemsProps {
  heading: string;
  items: string[];
  empty: string;
  icon: LucideIcon;
}

function Items({ heading, items, empty, icon: Icon }: ItemsProps): ReactNode {
  return (
    <section>
      <h2 className="text-xl">{heading}</h2>
      {items.length === 0 ? (
        <p className="mt-3 text-ink-soft">{empty}</p>
      ) : (
        <ul className="mt-3 divide-y divide-rule border-y border-rule">
          {items.map((item) => (
            <li key={item} className="flex gap-3 py-2.5">
              <Icon aria-hidden className="mt-1 size-5 shrink-0 text-door-ink" />
              <Marked text={item} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function ProgressSkeleton(): ReactNode {
  return (
    <Loading label={strings.setup.loading}>
      <div className="mt-10 grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <Skeleton className="h-48" />
        <Skeleton className="h-48" />
      </div>
    </Loading>
  );
}
