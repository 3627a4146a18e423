/** The page of a code: its frame at once, the worksheet when it is fetched. It asks nobody who they are. */

import type { ReactNode } from "react";

import { Brand, ThemeButton } from "../../shell/theme-button";
import { CrashGuard } from "../../ui/error-panel";
import { Awaited, late, useLate } from "../../ui/late";
import { answerStrings } from "./strings";

const PAGE = late(() => import("./answer-page"));

export function AnswerRoute({ token }: { token: string }): ReactNode {
  const { part: page, state, retry } = useLate(PAGE);
  return (
    <div data-door="study" className="flex min-h-dvh flex-col">
      <header className="on-board flex h-16 items-center justify-between bg-board px-4 text-board-ink sm:px-8">
        <Brand />
        <ThemeButton className="text-board-ink hover:bg-board-raised hover:text-board-ink" />
      </header>
      <main className="mx-auto w-full max-w-2xl flex-1 px-5 pt-8 pb-28 sm:px-12 sm:margin-line">
        <CrashGuard key={token}>
          {page !== null && <page.AnswerPage token={token} />}
          <Awaited state={state} retry={retry} words={answerStrings} className="mt-6 h-96" />
        </CrashGuard>
      </main>
    </div>
  );
}
