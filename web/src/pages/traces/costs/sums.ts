/** Costs added up by whatever one asks for. Pure. */

import type { CostRow, Costs } from "../../../wire/generated";

export interface CostSum {
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

export interface CostDay {
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
