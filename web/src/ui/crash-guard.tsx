/** Catches what a page throws while it is drawn, so that the rest of the app stays usable. */

import { Component, type ReactNode } from "react";

import { Page } from "../shell/page";
import { strings } from "../strings";
import { ErrorPanel } from "./error-panel";

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
