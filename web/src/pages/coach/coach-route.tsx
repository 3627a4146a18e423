/** The pages of the coach: their headings at once, everything else when it is opened first, to keep the first load small. */

import { MessagesSquare } from "lucide-react";
import type { ReactNode } from "react";
import { Link, Route, Switch } from "wouter";

import { words } from "../../locale/words";
import { usePageTitle } from "../../shell/page";
import { strings } from "../../strings";
import { buttonClass } from "../../ui/button";
import { DoorFrame } from "../../ui/door-frame";
import { Awaited, late, useLate } from "../../ui/late";
import { Marked } from "../../ui/marked";
import { useSetup } from "../../wire/hooks";
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
        <DoorFrame door="coach" icon={MessagesSquare} heading={coachRoute.wrapUp} isSmall>
          <Fetched frame={(page) => <page.WrapUpPage />} />
        </DoorFrame>
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

function DashboardFrame(): ReactNode {
  const door = useSetup().data?.doors.find(({ id }) => id === "coach");
  return (
    <DoorFrame
      door="coach"
      icon={MessagesSquare}
      heading={strings.doors.coach}
      lead={door?.audience}
      about={door !== undefined && <Marked text={door.summary} />}
      actions={
        <Link href="/coach/work" className={buttonClass("primary")}>
          {coachRoute.open}
        </Link>
      }
    >
      <Fetched frame={(page) => <page.DashboardPage />} />
    </DoorFrame>
  );
}

function WorkFrame(): ReactNode {
  usePageTitle(coachRoute.work);
  return (
    <div data-work data-fills data-door="coach" className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-120">
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

// What is said while a page of the coach itself is being fetched.

export const coachRoute = words("coachRoute", {
  loading: "Opening the page…",
  failed: "The page could not be loaded",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
  open: "Open the workspace",
  work: "Workspace",
  practice: "Practice",
  wrapUp: "What you learnt",
});
