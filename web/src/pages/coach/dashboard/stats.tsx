/** What was done in a period. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { type Period, PERIODS } from "../../../api/coach-api";
import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import type { DashboardStats } from "../../../wire/generated";
import { QueryError } from "../../../ui/error-panel";
import { Skeleton } from "../../../ui/skeleton";
import { Section } from "./section";

const text = coachStrings.dashboard;
const COUNTS = Object.keys(text.counts) as (keyof typeof text.counts)[];

/** `first` is of all time: it came with the dashboard. Other periods cost one more question, but no model. */
export function Stats({ first }: { first: DashboardStats }): ReactNode {
  const { api } = useServices();
  const [period, setPeriod] = useState<Period>("all");
  const found = useQuery({
    queryKey: ["coach", "stats", period],
    queryFn: async () => (await api.coach.dashboard(period)).stats,
    enabled: period !== "all",
  });
  const stats = period === "all" ? first : found.data;
  return (
    <Section
      title={text.stats}
      aside={
        <div role="radiogroup" aria-label={text.period} className="flex rounded-md border border-edge bg-card p-0.5">
          {PERIODS.map((name) => (
            <label
              key={name}
              className="relative cursor-pointer rounded px-3 py-1.5 text-base font-semibold text-ink-soft has-checked:bg-accent has-checked:text-on-accent has-focus-visible:outline-3 has-focus-visible:outline-(--focus)"
            >
              <input
                type="radio"
                name="coach-period"
                value={name}
                checked={period === name}
                onChange={() => {
                  setPeriod(name);
                }}
                className="absolute inset-0 cursor-pointer opacity-0"
              />
              {text.periods[name]}
            </label>
          ))}
        </div>
      }
    >
      {found.isError && period !== "all" && stats === undefined ? (
        <QueryError title={text.failed} query={found} />
      ) : stats === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <dl aria-live="polite" className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line">
          {COUNTS.map((name) => (
            <div key={name} className="flex flex-col-reverse justify-end bg-card px-4 py-3 last:col-span-2">
              <dt className="text-base text-ink-soft">{text.counts[name]}</dt>
              <dd className="font-heading text-2xl font-semibold tabular-nums">{shown(name, stats[name])}</dd>
            </div>
          ))}
        </dl>
      )}
    </Section>
  );
}

const MONEY = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });
const NUMBER = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });

function shown(name: keyof typeof text.counts, value: number): string {
  return name === "apiCostTotal" ? MONEY.format(value) : NUMBER.format(value);
}
