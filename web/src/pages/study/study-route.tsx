/** The pages behind the Study door, each fetched when it is opened first, to keep the first load small. */

import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { Route, Switch } from "wouter";

import { focusHeading, Page } from "../../layout/page";
import { STUDY_PATHS } from "../../routes";
import { studyStrings } from "../../strings-study";
import { ErrorPanel } from "../../ui/error-panel";
import { Loading, Skeleton } from "../../ui/skeleton";
import { NotFoundPage } from "../not-found";

type PageName = keyof typeof STUDY_PATHS;
type StudyPage = ComponentType<{ course: string }>;

const LOAD: Record<PageName, () => Promise<{ default: StudyPage }>> = {
  today: () => import("./today"),
  courses: () => import("./courses"),
  settings: () => import("./settings"),
  session: () => import("./session"),
  progress: () => import("./progress"),
  course: () => import("./course"),
};
const fetched: Partial<Record<PageName, StudyPage>> = {};

export function StudyRoute(): ReactNode {
  return (
    <div data-door="study">
      <Switch>
        {(Object.keys(LOAD) as PageName[]).map((name) => (
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
  const [state, setState] = useState<"loading" | "failed" | "ready">(fetched[name] === undefined ? "loading" : "ready");
  const hasFocus = useRef(false);
  useEffect(() => {
    if (state !== "loading") return;
    let isLeft = false;
    void fetchPage(name).then((isThere) => {
      if (isLeft) return;
      // A link put the focus on the heading that stands here until the page comes: its own one gets it.
      hasFocus.current = document.activeElement?.matches("main h1") === true;
      setState(isThere ? "ready" : "failed");
    });
    return () => {
      isLeft = true;
    };
  }, [state, name]);
  useEffect(() => {
    if (state === "ready" && hasFocus.current) focusHeading();
  }, [state]);
  const Content = state === "ready" ? fetched[name] : undefined;
  if (Content !== undefined) return <Content course={course} />;
  return (
    <Page title={studyStrings.titles[name]}>
      {state === "failed" ? (
        <ErrorPanel
          title={studyStrings.route.failed}
          message={studyStrings.route.failedHint}
          onRetry={() => {
            setState("loading");
          }}
        />
      ) : (
        <Loading label={studyStrings.route.loading}>
          <Skeleton className="mt-8 h-96 max-w-3xl" />
        </Loading>
      )}
    </Page>
  );
}

async function fetchPage(name: PageName): Promise<boolean> {
  try {
    fetched[name] = (await LOAD[name]()).default;
    return true;
  } catch {
    return false;
  }
}
