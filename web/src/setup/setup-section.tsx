/** "What is set up" at a glance: the facts, and the checks that need a look. The rest is in the settings. */

import { ClipboardCopy, Stethoscope } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { SETTINGS_PATHS } from "../routes";
import { strings } from "../strings";
import { Button, buttonClass } from "../ui/button";
import type { Setup } from "../wire/generated";
import { Checks, summarizeChecks } from "./checks";
import { useCopyReport } from "./copy-report";
import { Facts } from "./facts";

export function SetupSection({ setup }: { setup: Setup }): ReactNode {
  const copyReport = useCopyReport();
  const open = setup.checks.filter(({ status }) => status !== "ok");
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
          {(open.length > 0 || setup.checks.length === 0) && <Checks checks={open} />}
          <Link href={SETTINGS_PATHS.checks} className={`mt-3 ${buttonClass("quiet")}`}>
            <Stethoscope aria-hidden className="size-4.5" />
            {strings.setup.allChecks}
          </Link>
        </section>
      </div>
    </section>
  );
}
