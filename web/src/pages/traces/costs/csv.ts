/** Costs as a table that any spreadsheet opens. */

import type { CostRow } from "../../../wire/generated";

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
