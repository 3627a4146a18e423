/** What models cost: in all, day by day, by door, model and purpose; each plot with its numbers behind. */

import { Download } from "lucide-react";
import { type ReactNode, useMemo } from "react";

import { locale, words } from "../../locale/words";
import { useAddressParts } from "../../ui/address-bar";
import { Button } from "../../ui/button";
import { Answered, Empty, Teaching } from "../../ui/data/answered";
import { type Column, DataTable } from "../../ui/data/data-table";
import { Figures } from "../../ui/data/facts";
import { RadioPill } from "../../ui/forms/choice";
import { longDay } from "../../ui/plots/scales";
import { FILLS, type StackDay, StackedPlot } from "../../ui/plots/stacked-plot";
import { Notice, Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import type { CostRow, Costs } from "../../wire/generated";
import { keep } from "../../wire/http";
import { useCosts, useRunNews } from "./hooks";
import { doorName, showCount, showMoney, showRoundMoney, showShare, showShort, showShortCost } from "./marks";

/** The texts of the page that says what models cost. */
export const costStrings = words("costs", {
  period: "Period",
  periods: { 7: "7 days", 30: "30 days", 90: "90 days", 365: "A year" },
  export: "Save as CSV",
  file: (first: string, last: string) => `paige-costs-${first}-${last}.csv`,
  loading: "Adding up…",
  failed: "The costs could not be read",
  figures: "The period in numbers",
  total: "Spent",
  perDay: (money: string) => `${money} a day`,
  calls: "Calls",
  failedCalls: (count: number) => (count === 0 ? "all answered" : `${number(count)} failed`),
  tokens: "Tokens",
  tokensNote: (read: string, written: string) => `${read} read, ${written} written`,
  unpriced: "Without a price",
  unpricedNote: (count: number) => (count === 0 ? "every price is known" : "not in the sums"),
  unpricedHint: (models: string) =>
    `The price of some calls is not known (${models}). They are counted, but they are in no sum: the real cost is higher.`,

  days: {
    heading: "Day by day",
    name: "Cost by day and model",
    summary: (money: string, day: string) => `The most was ${money} on ${day}.`,
    none: "Nothing was spent in this period.",
    point: (day: string, money: string, parts: string) => (parts === "" ? `${day}: ${money}` : `${day}: ${money} (${parts})`),
    part: (name: string, money: string) => `${name} ${money}`,
    day: "Day",
    total: "Together",
    others: "Other models",
  },
  doors: { heading: "By door", name: "Cost by door", column: "Door" },
  models: { heading: "By model", name: "Cost by model", column: "Model" },
  purposes: { heading: "By what was asked for", name: "Cost by purpose", column: "Purpose" },
  columns: { cost: "Cost", share: "Share", calls: "Calls", failed: "Failed", unpriced: "Without a price", tokens: "Tokens read", written: "Written" },

  empty: {
    title: "No model has been asked yet.",
    lead: "As soon as a model answers, what it costs is added up here. Local rules answer without any model, and cost nothing.",
    steps: [
      { title: "Name a provider", command: "paige doctor", text: "says which one is set up, and what it needs." },
      { title: "Ask for something", command: "paige plan list", text: "names what can be asked; or open any of the four doors." },
      { title: "Read it in a terminal", command: "paige trace list", text: "lists runs with what each of them cost." },
    ],
  },
  nothing: "No model was asked in this period.",
  nothingHint: "Choose a longer one.",
});

const number = (value: number): string => value.toLocaleString(locale());

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

const daysText = costStrings.days;

/** What every day cost, a bar of the models on top of each other. */
function DayCosts({ costs }: { costs: Costs }): ReactNode {
  const { models, days } = useMemo(() => daysByModel(costs, FILLS.length), [costs]);
  const sum = ({ values }: StackDay<string>): number => Object.values(values).reduce<number>((all, value) => all + (value ?? 0), 0);
  const dearest = days.reduce((most, day) => (sum(day) > sum(most) ? day : most), days[0] ?? { day: "", values: {} });
  return (
    <Section heading={daysText.heading}>
      {models.length === 0 ? (
        <Empty title={daysText.none} hint={costStrings.nothingHint} />
      ) : (
        <StackedPlot
          name={daysText.name}
          summary={daysText.summary(showMoney(sum(dearest)), longDay(dearest.day))}
          parts={models.map((key, place) => ({ key, name: nameOf(key), fill: FILLS[place] ?? FILLS[0] }))}
          days={days}
          read={(day) =>
            daysText.point(
              longDay(day.day),
              showMoney(sum(day)),
              models.flatMap((key) => (day.values[key] ? [daysText.part(nameOf(key), showMoney(day.values[key]))] : [])).join(", "),
            )
          }
          columns={[daysText.day, ...models.map(nameOf), daysText.total]}
          row={(day) => [...models.map((key) => showMoney(day.values[key] ?? 0)), showMoney(sum(day))]}
          ticks={moneyTicks}
          show={showRoundMoney}
        />
      )}
    </Section>
  );
}

function nameOf(key: string): string {
  return key === OTHERS ? daysText.others : key;
}

/** Costs by door, by model and by purpose: shares as bars beside the numbers themselves. */
function DoorCosts({ rows }: { rows: readonly CostRow[] }): ReactNode {
  return <Shares rows={rows} words={text.doors} keyOf={({ door }) => door} nameOf={doorName} />;
}

function ModelCosts({ rows }: { rows: readonly CostRow[] }): ReactNode {
  return <Shares rows={rows} words={text.models} keyOf={({ model }) => model} />;
}

function PurposeCosts({ rows }: { rows: readonly CostRow[] }): ReactNode {
  return <Shares rows={rows} words={text.purposes} keyOf={({ purpose }) => purpose} />;
}

interface SharesProps {
  rows: readonly CostRow[];
  words: { heading: string; name: string; column: string };
  keyOf: (row: CostRow) => string;
  nameOf?: (key: string) => string;
}

function Shares({ rows, words, keyOf, nameOf = (key) => key }: SharesProps): ReactNode {
  const sums = sumsBy(rows, keyOf);
  const all = total(rows).costUsd;
  const share = ({ costUsd }: CostSum): number => (all === 0 ? 0 : costUsd / all);
  const { columns } = text;
  const shown: Column<CostSum>[] = [
    { key: "name", name: words.column, cell: ({ key }) => <span className="[overflow-wrap:anywhere]">{nameOf(key)}</span>, sortBy: ({ key }) => nameOf(key) },
    { key: "share", name: columns.share, cell: (sum) => <ShareBar share={share(sum)} />, sortBy: share, className: "w-1/4 min-w-24" },
    { key: "cost", name: columns.cost, align: "end", cell: (sum) => <Cost sum={sum} />, sortBy: ({ costUsd }) => costUsd },
    { key: "calls", name: columns.calls, align: "end", cell: ({ calls }) => showCount(calls), sortBy: ({ calls }) => calls },
    { key: "tokens", name: columns.tokens, align: "end", cell: ({ tokensIn }) => showShort(tokensIn), sortBy: ({ tokensIn }) => tokensIn },
    { key: "written", name: columns.written, align: "end", cell: ({ tokensOut }) => showShort(tokensOut), sortBy: ({ tokensOut }) => tokensOut },
  ];
  return (
    <Section heading={words.heading}>
      <DataTable caption={words.name} columns={shown} rows={sums} rowKey={({ key }) => key} sort={{ key: "cost", isDown: true }} narrow="stack" />
    </Section>
  );
}

/** The length says what the number beside it says. */
function ShareBar({ share }: { share: number }): ReactNode {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="h-3 min-w-20 flex-1 rounded-sm bg-line/60">
        <span className="block h-full rounded-sm bg-spine" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="w-11 text-right tabular-nums">{showShare(share)}</span>
    </span>
  );
}

function Cost({ sum: { costUsd, unpriced } }: { sum: CostSum }): ReactNode {
  return <span title={unpriced > 0 ? text.columns.unpriced : undefined}>{showShortCost(costUsd, unpriced > 0)}</span>;
}

// Costs added up by whatever one asks for. Pure.

interface CostSum {
  key: string;
  costUsd: number;
  calls: number;
  failed: number;
  unpriced: number;
  /** Everything that was read, from the cache or not. */
  tokensIn: number;
  tokensOut: number;
}

/** Sums by a key, the dearest first, then those with the most calls. */
export function sumsBy(rows: readonly CostRow[], keyOf: (row: CostRow) => string): CostSum[] {
  const sums = new Map<string, CostSum>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = sums.get(key) ?? { key, costUsd: 0, calls: 0, failed: 0, unpriced: 0, tokensIn: 0, tokensOut: 0 };
    sums.set(key, {
      key,
      costUsd: before.costUsd + row.costUsd,
      calls: before.calls + row.calls,
      failed: before.failed + row.failed,
      unpriced: before.unpriced + row.unpriced,
      tokensIn: before.tokensIn + row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens,
      tokensOut: before.tokensOut + row.outputTokens,
    });
  }
  return [...sums.values()].sort((a, b) => b.costUsd - a.costUsd || b.calls - a.calls || a.key.localeCompare(b.key));
}

export function total(rows: readonly CostRow[]): CostSum {
  return sumsBy(rows, () => "")[0] ?? { key: "", costUsd: 0, calls: 0, failed: 0, unpriced: 0, tokensIn: 0, tokensOut: 0 };
}

export const OTHERS = "\u0000others";

interface CostDay {
  day: string;
  values: Record<string, number>;
}

/** Every day with what each model cost; from the `most`th model on they are taken together. */
export function daysByModel({ days, rows }: Costs, most: number): { models: string[]; days: CostDay[] } {
  const priced = sumsBy(rows, ({ model }) => model).filter(({ costUsd }) => costUsd > 0);
  const shown = priced.slice(0, priced.length > most ? most - 1 : most).map(({ key }) => key);
  const values = new Map<string, Record<string, number>>(days.map((day) => [day, {}]));
  for (const { day, model, costUsd } of rows) {
    const of = values.get(day);
    const key = shown.includes(model) ? model : OTHERS;
    if (of !== undefined && costUsd > 0) of[key] = (of[key] ?? 0) + costUsd;
  }
  return {
    models: priced.length > shown.length ? [...shown, OTHERS] : shown,
    days: days.map((day) => ({ day, values: values.get(day) ?? {} })),
  };
}

/** Round amounts from nothing to at least `most`. */
export function moneyTicks(most: number, count = 3): number[] {
  if (most <= 0) return [0, 1];
  const wanted = most / count;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= wanted) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, place) => place * step);
}

// Costs as a table that any spreadsheet opens.

const COLUMNS = [
  ["day", "day"],
  ["provider", "provider"],
  ["model", "model"],
  ["door", "door"],
  ["purpose", "purpose"],
  ["calls", "calls"],
  ["failed", "failed"],
  ["unpriced", "calls_without_price"],
  ["costUsd", "cost_usd"],
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["cacheReadTokens", "cache_read_tokens"],
  ["cacheWriteTokens", "cache_write_tokens"],
] as const satisfies readonly (readonly [keyof CostRow, string])[];

/** Lines end as RFC 4180 wants them. */
export function costsAsCsv(rows: readonly CostRow[]): string {
  const lines = [COLUMNS.map(([, name]) => name), ...rows.map((row) => COLUMNS.map(([key]) => cell(row[key])))];
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  // A spreadsheet would take such a beginning for a formula.
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
