/** What models cost: in all, day by day, by door, model and purpose; each plot with its numbers behind. */

import { Download } from "lucide-react";
import type { ReactNode } from "react";

import { keep } from "../../../api/plan-download";
import { costStrings } from "../../../strings-costs";
import { useAddressParts } from "../../../ui/address-bar";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { Empty } from "../../../ui/empty";
import { Figures } from "../../../ui/figures";
import { Notice } from "../../../ui/notice";
import { RadioPill } from "../../../ui/radio-pill";
import { Skeleton } from "../../../ui/skeleton";
import { Teaching } from "../../../ui/teaching";
import type { Costs } from "../../../wire/generated";
import { showCount, showMoney, showShort } from "../amounts";
import { useCosts, useRunNews } from "../hooks";
import { costsAsCsv } from "./csv";
import { DayCosts } from "./day-costs";
import { DoorCosts, ModelCosts, PurposeCosts } from "./shares";
import { sumsBy, total } from "./sums";

const PERIODS = [7, 30, 90, 365] as const;
const USUAL = 30;
const text = costStrings;

export default function CostsPage(): ReactNode {
  const { found, go } = useAddressParts<"days">();
  const days = PERIODS.find((each) => String(each) === found.get("days")) ?? USUAL;
  const costs = useCosts(days);
  useRunNews(null);
  return (
    <div className="mt-6">
      <div data-unprinted className="flex flex-wrap items-center justify-between gap-4">
        <fieldset className="flex flex-wrap items-center gap-2">
          <legend className="sr-only">{text.period}</legend>
          {PERIODS.map((each) => (
            <RadioPill
              key={each}
              name="period"
              label={text.periods[each]}
              isChosen={each === days}
              onChoose={() => {
                go({ days: each === USUAL ? null : String(each) }, { replace: true });
              }}
            />
          ))}
        </fieldset>
        {costs.data !== undefined && costs.data.rows.length > 0 && <Export costs={costs.data} />}
      </div>
      <Answered query={costs} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
        {(answer) => (
          <div aria-busy={costs.isPlaceholderData}>
            <All costs={answer} isLongest={days === 365} />
          </div>
        )}
      </Answered>
    </div>
  );
}

function Export({ costs: { days, rows } }: { costs: Costs }): ReactNode {
  return (
    <Button
      look="quiet"
      onClick={() => {
        const content = new Blob([costsAsCsv(rows)], { type: "text/csv" });
        keep({ name: text.file(days[0] ?? "", days.at(-1) ?? ""), content });
      }}
    >
      <Download aria-hidden className="size-4.5" />
      {text.export}
    </Button>
  );
}

function All({ costs, isLongest }: { costs: Costs; isLongest: boolean }): ReactNode {
  const { rows, days } = costs;
  if (rows.length === 0) {
    return isLongest ? (
      <Teaching words={text.empty} />
    ) : (
      <div className="mt-6">
        <Empty title={text.nothing} hint={text.nothingHint} />
      </div>
    );
  }
  const all = total(rows);
  const unknown = sumsBy(rows, ({ model }) => model).filter(({ unpriced }) => unpriced > 0);
  return (
    <div data-printed>
      <Figures
        className="mt-6"
        label={text.figures}
        columns={4}
        figures={[
          { key: "cost", name: text.total, value: showMoney(all.costUsd), note: text.perDay(showMoney(all.costUsd / Math.max(days.length, 1))) },
          { key: "calls", name: text.calls, value: showCount(all.calls), note: text.failedCalls(all.failed) },
          {
            key: "tokens",
            name: text.tokens,
            value: showShort(all.tokensIn + all.tokensOut),
            note: text.tokensNote(showShort(all.tokensIn), showShort(all.tokensOut)),
          },
          { key: "unpriced", name: text.unpriced, value: showCount(all.unpriced), note: text.unpricedNote(all.unpriced) },
        ]}
      />
      {unknown.length > 0 && (
        <Notice tone="warn" className="mt-4" title={text.unpriced}>
          {text.unpricedHint(unknown.map(({ key }) => key).join(", "))}
        </Notice>
      )}
      <DayCosts costs={costs} />
      <DoorCosts rows={rows} />
      <ModelCosts rows={rows} />
      <PurposeCosts rows={rows} />
    </div>
  );
}
