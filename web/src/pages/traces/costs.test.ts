import { expect, test } from "vitest";

import { costsAsCsv, daysByModel, moneyTicks, OTHERS, sumsBy, total } from "./costs";
import { costRow } from "./testing/samples";

const ROWS = [
  costRow("2026-03-01", "sonnet", 0.5, { calls: 3, failed: 1 }),
  costRow("2026-03-02", "haiku", 0.1),
  costRow("2026-03-02", "sonnet", 0.2, { door: "coach" }),
  costRow("2026-03-02", "ours", 0, { unpriced: 1 }),
];

test("the dearest comes first, what has no price last and counted apart", () => {
  expect(sumsBy(ROWS, ({ model }) => model).map(({ key, costUsd, calls, unpriced }) => [key, costUsd, calls, unpriced])).toEqual([
    ["sonnet", 0.7, 4, 0],
    ["haiku", 0.1, 1, 0],
    ["ours", 0, 1, 1],
  ]);
  expect(total(ROWS)).toMatchObject({ calls: 6, failed: 1, unpriced: 1, tokensIn: 420, tokensOut: 40 });
  expect(total([])).toMatchObject({ calls: 0, costUsd: 0 });
});

test("every day has its models, and from too many on they are taken together", () => {
  const days = ["2026-02-28", "2026-03-01", "2026-03-02"];
  expect(daysByModel({ days, rows: ROWS }, 7)).toEqual({
    models: ["sonnet", "haiku"],
    days: [
      { day: "2026-02-28", values: {} },
      { day: "2026-03-01", values: { sonnet: 0.5 } },
      { day: "2026-03-02", values: { haiku: 0.1, sonnet: 0.2 } },
    ],
  });
  expect(daysByModel({ days, rows: ROWS }, 1)).toMatchObject({ models: [OTHERS] });
});

test.each([0, 0.00004, 0.013, 0.7, 3, 4999])("the ticks up to %f reach it and are few", (most) => {
  const ticks = moneyTicks(most);
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(most - 1e-9);
  expect(ticks.length).toBeLessThanOrEqual(5);
});

test("a table for spreadsheets has every row, and no cell is taken for a formula", () => {
  const csv = costsAsCsv([costRow("2026-03-01", '=cmd("x"),y', 0.25)]);
  const [head, row, rest] = csv.split("\r\n");
  expect(head).toMatch(/^day,provider,model,door,purpose,calls,failed,calls_without_price,cost_usd,/);
  expect(row).toContain(`"'=cmd(""x""),y"`);
  expect(row).toContain(",0.25,");
  expect(rest).toBe("");
});
