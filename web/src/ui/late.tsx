/** The pages of a door, each fetched when it is opened first, to keep the first load small. */

import { type ComponentType, Fragment, type ReactNode, useEffect, useState } from "react";
import { Route, Switch } from "wouter";

import { ErrorPanel } from "./error-panel";
import { Loading, Skeleton } from "./skeleton";
import { uiStrings } from "./strings";

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

interface AwaitedProps {
  state: LateState;
  retry: () => void;
  words: { loading: string; failed: string; failedHint: string };
  /** The size of the skeleton. */
  className: string;
}

/** What stands where a part will be: a skeleton, or that it could not be fetched and a way to try again. */
export function Awaited({ state, retry, words, className }: AwaitedProps): ReactNode {
  if (state === "ready") return null;
  if (state === "failed") return <ErrorPanel title={words.failed} message={words.failedHint} onRetry={retry} />;
  return (
    <Loading label={words.loading}>
      <Skeleton className={className} />
    </Loading>
  );
}

// Parts that are fetched when they are first needed, to keep the first load small.

type LateState = "loading" | "failed" | "ready";

export interface Late<T> {
  /** The part, once it was fetched. */
  get: () => T | null;
  /** Fetch it; whether it is there now. */
  fetch: () => Promise<boolean>;
}

export function late<T>(load: () => Promise<T>): Late<T> {
  let part: T | null = null;
  return {
    get: () => part,
    fetch: async () => {
      try {
        part = await load();
        return true;
      } catch {
        return false;
      }
    },
  };
}

interface Fetching<T> {
  part: T | null;
  state: LateState;
  retry: () => void;
}

/** `onArrive` is called right before the part, or the failure, is shown; it must not change. */
export function useLate<T>(source: Late<T>, onArrive?: () => void): Fetching<T> {
  const [state, setState] = useState<LateState>(source.get() === null ? "loading" : "ready");
  useEffect(() => {
    if (state !== "loading") return;
    let isLeft = false;
    void source.fetch().then((isThere) => {
      if (isLeft) return;
      onArrive?.();
      setState(isThere ? "ready" : "failed");
    });
    return () => {
      isLeft = true;
    };
  }, [state, source, onArrive]);
  return {
    part: state === "ready" ? source.get() : null,
    state,
    retry: () => {
      setState("loading");
    },
  };
}
