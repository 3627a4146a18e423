/** What was done in a period. */

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import { type Period, PERIODS } from "../../../api/coach-api";
import { locale } from "../../../locale/words";
import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import { QueryError } from "../../../ui/error-panel";
import { Figures } from "../../../ui/figures";
import { RadioPills } from "../../../ui/radio-pill";
import { Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import type { DashboardStats } from "../../../wire/generated";

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
      heading={text.stats}
      className=""
      aside={
        <RadioPills
          label={text.period}
          value={period}
          options={PERIODS.map((name) => [name, text.periods[name]])}
          onChoose={setPeriod}
        />
      }
    >
      {found.isError && period !== "all" && stats === undefined ? (
        <QueryError title={text.failed} query={found} />
      ) : stats === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <Figures
          isLive
          columns={2}
          figures={COUNTS.map((name) => ({ key: name, name: text.counts[name], value: shown(name, stats[name]) }))}
        />
      )}
    </Section>
  );
}

const MONEY = new Intl.NumberFormat(locale(), { style: "currency", currency: "USD" });
const NUMBER = new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 });

function shown(name: keyof typeof text.counts, value: number): string {
  return name === "apiCostTotal" ? MONEY.format(value) : NUMBER.format(value);
}
