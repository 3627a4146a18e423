/** What the server answered; until then a place for it, or that it could not be had and a way to try again. */

import { clsx } from "clsx";
import { type ComponentProps, type ReactNode, useState } from "react";

import { Button } from "../button";
import { QueryError } from "../error-panel";
import { Marked } from "../marked";
import { Loading } from "../skeleton";
import { ShellCommand } from "./facts";

interface Query<Data> {
  data: Data | undefined;
  isError: boolean;
  error: Error | null;
  isFetching: boolean;
  refetch(): Promise<unknown>;
}

interface AnsweredProps<Data> {
  query: Query<Data>;
  words: { loading: string; failed: string };
  /** What stands here meanwhile: one or more skeletons. */
  skeleton: ReactNode;
  children: (data: Data) => ReactNode;
}

export function Answered<Data>({ query, words, skeleton, children }: AnsweredProps<Data>): ReactNode {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <QueryError title={words.failed} query={{ ...query, error: query.error }} />;
  return <Loading label={words.loading}>{skeleton}</Loading>;
}

// Long lists: how many of them are shown, and the button for more.

/** How many are shown of what `key` stands for; another question begins with few again. */
export function useShown(key: string, first: number, most: number): [shown: number, showMore: (() => void) | null] {
  const [state, setState] = useState({ key, shown: first });
  const shown = state.key === key ? state.shown : first;
  const showMore = (): void => {
    setState({ key, shown: Math.min(shown * 2, most) });
  };
  return [shown, shown < most ? showMore : null];
}

interface ShowMoreProps {
  words: string;
  isBusy: boolean;
  onMore: () => void;
}

export function ShowMore({ words, isBusy, onMore }: ShowMoreProps): ReactNode {
  return (
    <Button data-unprinted look="quiet" className="mt-4" disabled={isBusy} onClick={onMore}>
      {words}
    </Button>
  );
}

// A place where nothing is yet, and how something gets there; or where nothing fits what was asked.

export function Empty({ title, hint, children }: { title: string; hint: string; children?: ReactNode }): ReactNode {
  return (
    <div className="max-w-2xl rounded-lg border border-dashed border-edge p-6">
      <p className="text-lg font-semibold">{title}</p>
      <Marked className="mt-1 block text-ink-soft" text={hint} />
      {children}
    </div>
  );
}

interface NothingFoundProps {
  words: { nothing: string; nothingHint: string; takeAway: string };
  /** Whether there are filters to take away. */
  isFiltered: boolean;
  onTakeAway: () => void;
}

export function NothingFound({ words, isFiltered, onTakeAway }: NothingFoundProps): ReactNode {
  return (
    <Empty title={words.nothing} hint={words.nothingHint}>
      {isFiltered && (
        <Button look="quiet" className="mt-4" onClick={onTakeAway}>
          {words.takeAway}
        </Button>
      )}
    </Empty>
  );
}

/** The same in a line, within a part of a page. */
export function EmptyLine({ children }: { children: ReactNode }): ReactNode {
  return <p className="rounded-lg border border-dashed border-edge px-4 py-3 text-ink-soft">{children}</p>;
}

interface FoundListProps extends ComponentProps<typeof NothingFound> {
  isBusy: boolean;
  /** How many, in words; null when there are none. */
  count: string | null;
  /** Said beside the count. */
  remark?: string;
  /** The rows, each a list item. */
  children: ReactNode;
}

/** What a search found: how many, the rows, or that there is nothing and how to find more. */
export function FoundList({ isBusy, count, remark = "", children, ...nothing }: FoundListProps): ReactNode {
  return (
    <div aria-busy={isBusy}>
      <p role="status" className={count === null ? "sr-only" : "text-base text-ink-soft"}>
        {count ?? nothing.words.nothing}
        {remark}
      </p>
      {count === null && <NothingFound {...nothing} />}
      <ul className="mt-2 divide-y divide-rule border-y border-rule empty:hidden">{children}</ul>
    </div>
  );
}

interface Words {
  title: string;
  lead: string;
  /** Left out where there is only to wait. */
  steps?: readonly { title: string; command: string; text: string }[];
}

interface TeachingProps {
  words: Words;
  className?: string;
  /** More ways to begin. */
  children?: ReactNode;
}

/** A page before there is anything to show: what will stand here, and the commands that begin it. */
export function Teaching({ words, className = "mt-6", children }: TeachingProps): ReactNode {
  return (
    <section className={clsx("max-w-4xl rounded-lg border border-dashed border-edge p-6", className)}>
      <h2 className="text-xl">{words.title}</h2>
      <p className="mt-2 text-ink-soft">{words.lead}</p>
      <ol className="mt-5 grid gap-4 empty:hidden lg:grid-cols-3">
        {words.steps?.map((step, place) => (
          <li key={step.command} className="rounded-lg border border-line bg-card p-4">
            <p className="font-semibold">
              {place + 1}. {step.title}
            </p>
            <ShellCommand command={step.command} className="mt-2 flex" />
            <Marked className="mt-2 block text-base text-ink-soft" text={step.text} />
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
