/** The terminal below the editor, fetched when it is opened first; or why there is none. */

import { SquareTerminal, X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId } from "react";

import { coachStrings } from "../../../../strings-coach";
import { IconButton } from "../../../../ui/button";
import { CrashGuard } from "../../../../ui/crash-guard";
import { Marked } from "../../../../ui/marked";
import { Loading, Skeleton } from "../../../../ui/skeleton";
import { useTerminal } from "../../state/terminal";

const text = coachStrings.terminal;

const TerminalView = lazy(async () => ({ default: (await import("./terminal-view")).TerminalView }));

export function TerminalPanel(): ReactNode {
  const refused = useTerminal((terminal) => terminal.refused);
  const id = useId();
  const close = (): void => {
    useTerminal.setState({ isShown: false, refused: null });
  };
  return (
    <section aria-labelledby={id} className="flex h-72 shrink-0 flex-col border-t border-line bg-card">
      <div className="flex items-center gap-2 border-b border-line pl-3">
        <SquareTerminal aria-hidden className="size-4 text-door-ink" />
        <h2 id={id} className="font-sans text-base font-semibold">
          {text.heading}
        </h2>
        {refused === null && <p className="ml-2 text-base text-ink-soft max-sm:hidden">{text.leave}</p>}
        <IconButton label={text.hide} onClick={close} className="ml-auto text-ink-soft hover:text-ink">
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {refused !== null ? (
        <div role="alert" className="p-4">
          <p className="font-semibold">{text.refused}</p>
          <Marked className="block" text={refused.message} />
          {refused.hint !== null && <Marked className="block text-ink-soft" text={refused.hint} />}
        </div>
      ) : (
        <CrashGuard>
          <Suspense
            fallback={
              <Loading label={text.loading}>
                <Skeleton className="m-3 h-40" />
              </Loading>
            }
          >
            <TerminalView />
          </Suspense>
        </CrashGuard>
      )}
    </section>
  );
}
