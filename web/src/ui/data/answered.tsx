/** What the server answered; until then a place for it, or that it could not be had and a way to try again. */

import type { ReactNode } from "react";

import { QueryError } from "../error-panel";
import { Loading } from "../skeleton";

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
