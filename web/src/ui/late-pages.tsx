/** The pages of a door, each fetched when it is opened first, to keep the first load small. */

import { type ComponentType, Fragment, type ReactNode } from "react";
import { Route, Switch } from "wouter";

import { uiStrings } from "../strings-ui";
import { Awaited } from "./awaited";
import { type Late, useLate } from "./late";

/** What the address says, such as the name of a course. */
type Params = Readonly<Record<string, string | undefined>>;
export type LatePage<Props = object> = Late<{ default: ComponentType<Props> }>;

interface LatePagesProps<Name extends string, Props extends object> {
  paths: Readonly<Record<Name, string>>;
  pages: Readonly<Record<Name, LatePage<Props>>>;
  /** What a page gets of the address. */
  props: (params: Params) => Props;
  /** What is said meanwhile, where the page has better words for it. */
  words?: { loading: string; failed: string; failedHint: string };
  /** What stands around a page, at once. */
  frame: (name: Name, page: ReactNode) => ReactNode;
  /** For addresses below the door that lead nowhere. */
  notFound: ReactNode;
}

export function LatePages<Name extends string, Props extends object>(all: LatePagesProps<Name, Props>): ReactNode {
  const { paths, pages, props, words = uiStrings.page, frame, notFound } = all;
  return (
    <Switch>
      {(Object.keys(pages) as Name[]).map((name) => (
        <Route key={name} path={paths[name]}>
          {(params: Params) => (
            // Another page is drawn anew, not changed into.
            <Fragment key={name}>{frame(name, <Fetched page={pages[name]} props={props(params)} words={words} />)}</Fragment>
          )}
        </Route>
      ))}
      <Route>{notFound}</Route>
    </Switch>
  );
}

interface FetchedProps<Props extends object> {
  page: LatePage<Props>;
  props: Props;
  words: NonNullable<LatePagesProps<string, Props>["words"]>;
}

function Fetched<Props extends object>({ page, props, words }: FetchedProps<Props>): ReactNode {
  const { part, state, retry } = useLate(page);
  if (part !== null) return <part.default {...props} />;
  return <Awaited state={state} retry={retry} words={words} className="mt-8 h-96" />;
}

/** For pages that need nothing of the address. */
export function nothing(): object {
  return {};
}
