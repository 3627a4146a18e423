/** The pages behind the Guard door: heading and ways at once, each page when it is opened first. */

import { clsx } from "clsx";
import { ShieldCheck } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { Link, Route, Switch } from "wouter";

import { useSetup } from "../../api/hooks";
import { usePageTitle } from "../../layout/page";
import { GUARD_PATHS } from "../../routes";
import { strings } from "../../strings";
import { guardRoute } from "../../strings-guard-route";
import { Awaited } from "../../ui/awaited";
import { type Late, late, useLate } from "../../ui/late";
import { Marked } from "../../ui/marked";
import { NotFoundPage } from "../not-found";

type PageName = keyof typeof GUARD_PATHS;

const PAGES: Record<PageName, Late<{ default: ComponentType }>> = {
  decisions: late(() => import("./guard-page")),
  graph: late(() => import("./graph")),
  guards: late(() => import("./guards")),
  orchestra: late(() => import("./orchestra")),
};
const NAMES = Object.keys(PAGES) as PageName[];

export function GuardRoute(): ReactNode {
  return (
    <Switch>
      {NAMES.map((name) => (
        <Route key={name} path={GUARD_PATHS[name]}>
          <Frame key={name} name={name} />
        </Route>
      ))}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

function Frame({ name }: { name: PageName }): ReactNode {
  const isFirst = name === "decisions";
  usePageTitle(isFirst ? strings.doors.guard : guardRoute.pages[name]);
  const door = useSetup().data?.doors.find(({ id }) => id === "guard");
  return (
    <div data-door="guard">
      <div className={clsx("cover flex flex-wrap items-center gap-x-8 gap-y-4 pr-6 pl-10 sm:pl-12", isFirst ? "py-5" : "py-3")}>
        <div className={clsx("label inline-flex items-center gap-4 px-6", isFirst ? "py-4" : "py-3")}>
          <ShieldCheck aria-hidden className="size-8 shrink-0 text-door-ink" />
          <div>
            <h1 tabIndex={-1} className="text-3xl">
              {strings.doors.guard}
              {!isFirst && <span className="sr-only">: {guardRoute.pages[name]}</span>}
            </h1>
            {isFirst && door !== undefined && <p className="text-ink-soft">{door.audience}</p>}
          </div>
        </div>
        {isFirst && door !== undefined && <Marked className="block max-w-md min-w-56 flex-1 max-sm:hidden" text={door.summary} />}
        {!isFirst && <p className="max-w-lg min-w-56 flex-1 max-sm:hidden">{guardRoute.leads[name]}</p>}
      </div>
      <Ways here={name} />
      <Content name={name} />
    </div>
  );
}

function Ways({ here }: { here: PageName }): ReactNode {
  return (
    <nav aria-label={guardRoute.label} className="mt-5 flex flex-wrap gap-1 sm:gap-2">
      {NAMES.map((name) => (
        <Link
          key={name}
          href={GUARD_PATHS[name]}
          aria-current={name === here ? "page" : undefined}
          className={clsx(
            "flex min-h-11 items-center rounded-md border px-1.5 font-semibold transition-colors max-sm:text-[0.9375rem] sm:px-4",
            name === here ? "border-spine bg-cover text-ink" : "border-line bg-card text-ink-soft hover:border-accent hover:text-accent",
          )}
        >
          {guardRoute.pages[name]}
        </Link>
      ))}
    </nav>
  );
}

function Content({ name }: { name: PageName }): ReactNode {
  const { part, state, retry } = useLate(PAGES[name]);
  if (part !== null) return <part.default />;
  return <Awaited state={state} retry={retry} words={guardRoute} className="mt-8 h-96" />;
}
