import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { type Column, DataTable, sorted } from "./data-table";

interface Fruit {
  name: string;
  count: number | null;
}

const FRUIT: Fruit[] = [
  { name: "pear", count: 10 },
  { name: "Apple 10", count: 9 },
  { name: "apple 9", count: null },
];
const COLUMNS: Column<Fruit>[] = [
  { key: "name", name: "Fruit", cell: ({ name }) => name, sortBy: ({ name }) => name },
  { key: "count", name: "Count", cell: ({ count }) => count ?? "–", sortBy: ({ count }) => count, align: "end" },
  { key: "act", name: "Act", cell: () => "eat", nameHidden: true },
];

function names(): (string | null)[] {
  return screen.getAllByRole("rowheader").map((cell) => cell.textContent);
}

test("rows come as they are until a column is asked for, then up and down", async () => {
  render(<DataTable caption="Fruit in stock" columns={COLUMNS} rows={FRUIT} rowKey={({ name }) => name} />);
  expect(within(screen.getByRole("table", { name: "Fruit in stock" })).getAllByRole("row")).toHaveLength(4);
  expect(names()).toEqual(["pear", "Apple 10", "apple 9"]);
  await userEvent.click(screen.getByRole("button", { name: "Fruit" }));
  expect(names()).toEqual(["apple 9", "Apple 10", "pear"]);
  expect(screen.getByRole("columnheader", { name: "Fruit" }).getAttribute("aria-sort")).toBe("ascending");
  await userEvent.click(screen.getByRole("button", { name: "Fruit" }));
  expect(names()).toEqual(["pear", "Apple 10", "apple 9"]);
  expect(screen.getByRole("columnheader", { name: "Fruit" }).getAttribute("aria-sort")).toBe("descending");
});

test("a table can be sorted from the beginning, and a column that cannot sort has no button", () => {
  render(<DataTable caption="Fruit" columns={COLUMNS} rows={FRUIT} rowKey={({ name }) => name} sort={{ key: "count", isDown: true }} />);
  expect(names()).toEqual(["pear", "Apple 10", "apple 9"]);
  expect(screen.queryByRole("button", { name: "Act" })).toBeNull();
});

test("where there are no rows stands what was given for that", () => {
  render(<DataTable caption="Fruit" columns={COLUMNS} rows={[]} rowKey={({ name }) => name} empty={<p>Nothing to eat</p>} />);
  expect(screen.getByText("Nothing to eat")).toBeTruthy();
  expect(screen.queryByRole("table")).toBeNull();
});

test("what has no value comes last, whichever way one sorts", () => {
  const count = ({ count: its }: Fruit): number | null => its;
  expect(sorted(FRUIT, count, false).map(({ name }) => name)).toEqual(["Apple 10", "pear", "apple 9"]);
  expect(sorted(FRUIT, count, true).map(({ name }) => name)).toEqual(["pear", "Apple 10", "apple 9"]);
});
