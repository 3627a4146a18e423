/** The pages behind the Study door, each fetched when it is opened first, to keep the first load small. */

import { type ComponentType, type ReactNode, useCallback, useEffect, useRef } from "react";
import { Route, Switch } from "wouter";

import { STUDY_PATHS } from "../../routes";
import { focusHeading, Page } from "../../shell/page";
import { Awaited, type Late, late, useLate } from "../../ui/late";
import { NotFoundPage } from "../not-found";
import { studyStrings } from "./strings";

type PageName = keyof typeof STUDY_PATHS;
type StudyPage = ComponentType<{ course: string }>;

const PAGES: Record<PageName, Late<{ default: StudyPage }>> = {
  today: late(() => import("./today")),
  courses: late(() => import("./courses")),
  settings: late(() => import("./settings")),
  session: late(() => import("./session")),
  progress: late(() => import("./progress")),
  course: late(() => import("./course")),
};

export function StudyRoute(): ReactNode {
  return (
    <div data-door="study">
      <Switch>
        {(Object.keys(PAGES) as PageName[]).map((name) => (
          <Route key={name} path={STUDY_PATHS[name]}>
            {(params: { course?: string }) => <Fetched key={name} name={name} course={params.course ?? ""} />}
          </Route>
        ))}
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </div>
  );
}

function Fetched({ name, course }: { name: PageName; course: string }): ReactNode {
  const hasFocus = useRef(false);
  const noteFocus = useCallback(() => {
    // A link put the focus on the heading that stands here until the page comes: its own one gets it.
    hasFocus.current = document.activeElement?.matches("main h1") === true;
  }, []);
  const { part, state, retry } = useLate(PAGES[name], noteFocus);
  useEffect(() => {
    if (state === "ready" && hasFocus.current) focusHeading();
  }, [state]);
  if (part !== null) return <part.default course={course} />;
  return (
    <Page title={studyStrings.titles[name]}>
      <Awaited state={state} retry={retry} words={studyStrings.route} className="mt-8 h-96 max-w-3xl" />
    </Page>
  );
}
