/** Doctor as a page: every check, what to do, run again, and the report to paste somewhere. */

import { useQueryClient } from "@tanstack/react-query";
import { ClipboardCopy, RotateCw } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../../strings";
import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { Section } from "../../ui/section";
import { Checks, Facts, summarizeChecks, useCopyReport } from "../../ui/setup";
import { SkeletonRows } from "../../ui/skeleton";
import { notify } from "../../ui/toasts";
import { SETUP_KEY, useSetup } from "../../wire/hooks";
import { settingsStrings } from "./strings";

const text = settingsStrings.checks;

export default function ChecksPage(): ReactNode {
  const setup = useSetup();
  const queries = useQueryClient();
  const copyReport = useCopyReport();
  const runAgain = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: SETUP_KEY });
    if (queries.getQueryState(SETUP_KEY)?.status === "success") notify(text.ran);
  };
  return (
    <div className="mt-6 max-w-3xl">
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" disabled={setup.isFetching} onClick={() => void runAgain()}>
          <RotateCw aria-hidden className="size-4" />
          {setup.isFetching ? text.running : text.again}
        </Button>
        <Button look="quiet" onClick={() => void copyReport()}>
          <ClipboardCopy aria-hidden className="size-4" />
          {strings.palette.copyReport}
        </Button>
      </div>
      <Answered query={setup} words={strings.setup} skeleton={<SkeletonRows className="mt-8" />}>
        {(found) => (
          <>
            <Section
              heading={text.heading}
              aside={<p className="text-ink-soft">{summarizeChecks(found.checks)}</p>}
              className="mt-8"
            >
              <Checks checks={found.checks} />
            </Section>
            <Section heading={text.facts}>
              <Facts setup={found} />
            </Section>
          </>
        )}
      </Answered>
    </div>
  );
}
