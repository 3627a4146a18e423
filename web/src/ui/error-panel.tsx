/** What a page shows instead of what could not be read: what happened, what to do, and a way to retry. */

import { CircleAlert, RotateCw } from "lucide-react";
import { Component, type ReactNode } from "react";

import { Page } from "../shell/page";
import { strings } from "../strings";
import { hintOf } from "../wire/http";
import { Button } from "./button";
import { Marked } from "./marked";

interface ErrorPanelProps {
  title: string;
  message: string;
  hint?: string | null;
  onRetry: () => void;
  retrying?: boolean;
}

export function ErrorPanel({ title, message, hint = null, onRetry, retrying = false }: ErrorPanelProps): ReactNode {
  return (
    <div role="alert" className="mt-8 max-w-2xl rounded-lg border border-line border-l-4 border-l-fail bg-card p-5">
      <p className="flex items-center gap-2 text-lg font-semibold">
        <CircleAlert aria-hidden className="size-5 shrink-0 text-fail" />
        {title}
      </p>
      <Marked className="mt-2 block" text={message} />
      {hint !== null && <Marked className="block text-ink-soft" text={hint} />}
      <Button look="quiet" className="mt-4" onClick={onRetry} disabled={retrying}>
        <RotateCw aria-hidden className="size-4" />
        {strings.errors.retry}
      </Button>
    </div>
  );
}

interface FailedQuery {
  error: Error;
  isFetching: boolean;
  refetch(): Promise<unknown>;
}

/** The panel for a question that the server did not answer well. */
export function QueryError({ title, query }: { title: string; query: FailedQuery }): ReactNode {
  return (
    <ErrorPanel
      title={title}
      message={query.error.message}
      hint={hintOf(query.error)}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}

// Catches what a page throws while it is drawn, so that the rest of the app stays usable.

interface CrashGuardState {
  error: Error | null;
}

export class CrashGuard extends Component<{ children: ReactNode }, CrashGuardState> {
  override state: CrashGuardState = { error: null };

  static getDerivedStateFromError(error: Error): CrashGuardState {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Page title={strings.errors.crashed}>
        <ErrorPanel
          title={error.message}
          message={strings.errors.crashedHint}
          onRetry={() => {
            this.setState({ error: null });
          }}
        />
      </Page>
    );
  }
}
