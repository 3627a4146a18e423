/** Which decisions are shown: by result at once, by agent, session, rule and event one step further. */

import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";

import type { GuardFilter } from "../../../api/guard-api";
import { guardStrings } from "../../../strings-guard";
import { Chips } from "../../../ui/chip";
import { Choice } from "../../../ui/choice";
import { More } from "../../../ui/more";
import { formatRecent } from "../../../ui/when";
import type { GuardCounts, GuardOverview } from "../../../wire/generated";
import type { AddressBar } from "../address";

const text = guardStrings.list;
const VERDICTS = ["denied", "asked", "changed", "passed", "fault"] as const satisfies (keyof GuardCounts)[];

interface FiltersProps {
  overview: GuardOverview;
  filter: GuardFilter;
  go: AddressBar["go"];
}

export function Filters({ overview, filter, go }: FiltersProps): ReactNode {
  const all = VERDICTS.reduce((sum, verdict) => sum + overview.counts[verdict], 0);
  const hasMore = [filter.cli, filter.session, filter.rule, filter.event].some((value) => value !== null);
  return (
    <>
      <Chips
        label={text.verdict}
        className="mt-4"
        value={filter.verdict}
        all={text.chip(text.all, all)}
        options={VERDICTS.map((verdict) => [verdict, text.chip(guardStrings.verdicts[verdict], overview.counts[verdict])])}
        onChoose={(verdict) => {
          go({ verdict }, { replace: true });
        }}
      />
      <More words={text.more} icon={SlidersHorizontal} isOpen={hasMore} className="mt-3">
        <Choices overview={overview} filter={filter} go={go} />
      </More>
    </>
  );
}

function Choices({ overview, filter, go }: FiltersProps): ReactNode {
  const now = new Date();
  const choose = (name: "cli" | "session" | "rule" | "event") => (value: string | null) => {
    go({ [name]: value }, { replace: true });
  };
  const events = overview.events.map((name) => [name, guardStrings.events[name] ?? name] as const);
  return (
    <div className="mt-2 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Choice
        label={text.filters.cli}
        any={text.any.cli}
        value={filter.cli}
        options={Object.keys(overview.clis).map((cli) => [cli, guardStrings.clis[cli] ?? cli])}
        onChoose={choose("cli")}
      />
      <Choice
        label={text.filters.session}
        any={text.any.session}
        value={filter.session}
        options={overview.sessions.map((each) => [
          each.session,
          text.session(guardStrings.clis[each.cli] ?? each.cli, lastPart(each.cwd), formatRecent(each.last, now)),
        ])}
        onChoose={choose("session")}
      />
      <Choice
        label={text.filters.rule}
        any={text.any.rule}
        value={filter.rule}
        options={overview.rules.map((rule) => [rule, rule])}
        onChoose={choose("rule")}
      />
      <Choice
        label={text.filters.event}
        any={text.any.event}
        value={filter.event}
        options={[["any", text.any.everything], ...events]}
        onChoose={choose("event")}
      />
    </div>
  );
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}
