/** "What is set up", with its facts and its checks side by side. */

import { ClipboardCopy } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../strings";
import { Button } from "../ui/button";
import type { Setup } from "../wire/generated";
import { Checks, summarizeChecks } from "./checks";
import { useCopyReport } from "./copy-report";
import { Facts } from "./facts";

export function SetupSection({ setup }: { setup: Setup }): ReactNode {
  const copyReport = useCopyReport();
  return (
    <section aria-labelledby="setup-heading" className="mt-14">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="setup-heading" className="text-2xl">
          {strings.setup.heading}
        </h2>
        <Button look="quiet" onClick={() => void copyReport()}>
          <ClipboardCopy aria-hidden className="size-4" />
          {strings.palette.copyReport}
        </Button>
      </div>
      <div className="mt-2 grid items-start gap-x-12 gap-y-8 xl:grid-cols-2">
        <section aria-labelledby="facts-heading">
          <h3 id="facts-heading" className="py-2.5 text-lg">
            {strings.setup.facts}
          </h3>
          <Facts setup={setup} />
        </section>
        <section aria-labelledby="checks-heading">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <h3 id="checks-heading" className="py-2.5 text-lg">
              {strings.setup.checks}
            </h3>
            {setup.checks.length > 0 && <p className="text-ink-soft">{summarizeChecks(setup.checks)}</p>}
          </div>
          <Checks checks={setup.checks} />
        </section>
      </div>
    </section>
  );
}
