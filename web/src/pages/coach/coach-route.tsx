/** The pages of the coach: their headings at once, everything else when it is opened first, to keep the first load small. */

import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link, Route, Switch } from "wouter";

import { useSetup } from "../../api/hooks";
import { Page, usePageTitle } from "../../layout/page";
import { strings } from "../../strings";
import { coachRoute } from "../../strings-coach-route";
import { Awaited } from "../../ui/awaited";
import { buttonClass } from "../../ui/button";
import { late, useLate } from "../../ui/late";
import { Marked } from "../../ui/marked";
import { NotFoundPage } from "../not-found";

type Parts = typeof import("./coach-pages");

const PAGES = late(() => import("./coach-pages"));

export function CoachRoute(): ReactNode {
  return (
    <Switch>
      <Route path="/coach">
        <DashboardFrame />
      </Route>
      <Route path="/coach/work">
        <WorkFrame />
      </Route>
      <Route path="/coach/practice/:kata">
        {({ kata }) => (
          <div data-door="coach">
            <Fetched frame={(page) => <page.PracticePage kata={decodeURIComponent(kata)} />} title={coachRoute.practice} />
          </div>
        )}
      </Route>
      <Route path="/coach/wrap-up">
        <div data-door="coach">
          <Page title={coachRoute.wrapUp}>
            <Fetched frame={(page) => <page.WrapUpPage />} />
          </Page>
        </div>
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

function DashboardFrame(): ReactNode {
  usePageTitle(strings.doors.coach);
  const door = useSetup().data?.doors.find(({ id }) => id === "coach");
  return (
    <div data-door="coach">
      <div className="cover flex flex-wrap items-center gap-x-8 gap-y-4 py-5 pr-6 pl-10 sm:pl-12">
        <div className="label inline-flex items-center gap-4 px-6 py-4">
          <MessagesSquare aria-hidden className="size-8 shrink-0 text-door-ink" />
          <div>
            <h1 tabIndex={-1} className="text-3xl">
              {strings.doors.coach}
            </h1>
            {door !== undefined && <p className="text-ink-soft">{door.audience}</p>}
          </div>
        </div>
        <div className="min-w-56 flex-1">
          {door !== undefined && <Marked className="mb-3 block max-w-md" text={door.summary} />}
          <Link href="/coach/work" className={buttonClass("primary")}>
            {coachRoute.open}
          </Link>
        </div>
      </div>
      <Fetched frame={(page) => <page.DashboardPage />} />
    </div>
  );
}

function WorkFrame(): ReactNode {
  usePageTitle(coachRoute.work);
  return (
    <div data-work data-door="coach" className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-120">
      <Fetched
        frame={(page) => <page.WorkPage />}
        before={
          // It stays when the rest arrives, and so does the focus that a link has put on it.
          <h1 tabIndex={-1} className="sr-only">
            {strings.doors.coach}: {coachRoute.work}
          </h1>
        }
      />
    </div>
  );
}

interface FetchedProps {
  frame: (page: Parts) => ReactNode;
  before?: ReactNode;
  /** A heading until the page brings its own. */
  title?: string;
}

function Fetched({ frame, before, title }: FetchedProps): ReactNode {
  const { part, state, retry } = useLate(PAGES);
  return (
    <>
      {before}
      {title !== undefined && part === null && (
        <h1 tabIndex={-1} className="text-3xl sm:text-4xl">
          {title}
        </h1>
      )}
      {part !== null && frame(part)}
      <Awaited state={state} retry={retry} words={coachRoute} className="mt-8 h-96" />
    </>
  );
}
