/** The app: who may enter, which page is shown, and the connection that lives as long as both. */

import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";

import { isSilence, OfflinePage } from "./offline/offline-page";
import { AnswerRoute } from "./pages/answer/answer-route";
import { CoachRoute } from "./pages/coach/coach-route";
import { GuardRoute } from "./pages/guard/guard-route";
import { HomePage } from "./pages/home";
import { MemoryRoute } from "./pages/memory/memory-route";
import { NotFoundPage } from "./pages/not-found";
import { AccountsRoute } from "./pages/people/accounts-route";
import { HandoutsRoute } from "./pages/plan/handouts/handouts-route";
import { PlanRoute } from "./pages/plan/plan-route";
import { SearchRoute } from "./pages/search/search-route";
import { SettingsRoute } from "./pages/settings/settings-route";
import { SignInPage } from "./pages/sign-in";
import { StudyRoute } from "./pages/study/study-route";
import { TracesRoute } from "./pages/traces/traces-route";
import {
  ACCOUNT_PATHS,
  ANSWER_PATH,
  DOOR_ROUTES,
  type DoorRoute,
  HANDOUT_PATHS,
  MEMORY_ROUTE,
  SEARCH_PATH,
  SETTINGS_ROUTE,
  TRACES_PATHS,
} from "./routes";
import { type Services, ServicesContext, useServices } from "./services";
import { Page } from "./shell/page";
import { Shell } from "./shell/shell";
import { Tour } from "./shell/tour";
import { strings } from "./strings";
import { CrashGuard, QueryError } from "./ui/error-panel";
import { Loading, Skeleton } from "./ui/skeleton";
import { notifyError, Toaster } from "./ui/toasts";
import { wakeOnReturn } from "./wire/browser";
import { useSession } from "./wire/hooks";
import { accountOf, mayEnter } from "./wire/session-cache";

export function App({ services }: { services: Services }): ReactNode {
  return (
    <ServicesContext value={services}>
      <QueryClientProvider client={services.queries}>
        <Switch>
          {/* Whoever has a code needs neither an account nor a passcode. */}
          <Route path={ANSWER_PATH}>{({ token }) => <AnswerRoute token={token ?? ""} />}</Route>
          <Route>
            <Entrance />
          </Route>
        </Switch>
        <Toaster />
      </QueryClientProvider>
    </ServicesContext>
  );
}

function Entrance(): ReactNode {
  const session = useSession();
  const allowed = session.data !== undefined && mayEnter(session.data);
  useConnectionWhile(allowed);
  if (allowed) {
    return (
      <>
        <Shell>
          <Pages />
        </Shell>
        <Tour />
      </>
    );
  }
  if (session.data !== undefined) return <SignInPage account={accountOf(session.data)} />;
  if (session.isError && isSilence(session.error)) {
    return (
      <Shell>
        <OfflinePage query={session} />
      </Shell>
    );
  }
  return (
    <Shell>
      <Page title={strings.brand}>
        {session.isError ? (
          <QueryError title={strings.setup.failed} query={session} />
        ) : (
          <Loading label={strings.setup.loading}>
            <Skeleton className="mt-6 h-24 max-w-2xl" />
          </Loading>
        )}
      </Page>
    </Shell>
  );
}

function Pages(): ReactNode {
  const [path] = useLocation();
  return (
    // A new page gets a new guard: leaving a broken page leaves its error behind.
    <CrashGuard key={path}>
      <Switch>
        <Route path="/">
          <HomePage />
        </Route>
        {DOOR_ROUTES.map((route) => (
          <Route key={route.path} path={route.door === "plan" ? route.path : `${route.path}/*?`}>
            <DoorContent route={route} />
          </Route>
        ))}
        <Route path={`${HANDOUT_PATHS.list}/*?`}>
          <HandoutsRoute />
        </Route>
        <Route path={MEMORY_ROUTE.path}>
          <MemoryRoute />
        </Route>
        {[`${TRACES_PATHS.runs}/*?`, TRACES_PATHS.costs].map((path) => (
          <Route key={path} path={path}>
            <TracesRoute />
          </Route>
        ))}
        <Route path={SEARCH_PATH}>
          <SearchRoute />
        </Route>
        <Route path={`${SETTINGS_ROUTE.path}/*?`}>
          <SettingsRoute />
        </Route>
        <Route path={`${ACCOUNT_PATHS.you}/*?`}>
          <AccountsRoute />
        </Route>
        <Route>
          <NotFoundPage />
        </Route>
      </Switch>
    </CrashGuard>
  );
}

function DoorContent({ route }: { route: DoorRoute }): ReactNode {
  switch (route.door) {
    case "plan":
      return <PlanRoute />;
    case "study":
      return <StudyRoute />;
    case "coach":
      return <CoachRoute />;
    case "guard":
      return <GuardRoute />;
  }
}

function useConnectionWhile(allowed: boolean): void {
  const { connection } = useServices();
  useEffect(() => {
    if (!allowed) return;
    const stopWaking = wakeOnReturn(connection);
    const unsubscribe = connection.subscribe("connection:error", ({ payload, id }) => {
      // An answer with an id belongs to whoever asked, who says it where it was asked.
      if (id === undefined) notifyError(strings.notices.connectionError, payload);
    });
    connection.start();
    return () => {
      unsubscribe();
      stopWaking();
      connection.stop();
    };
  }, [allowed, connection]);
}
