import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import type { ClassMisconceptions } from "../../../wire/generated";
import { planningServer } from "../testing/samples";
import { cleanUp, makeWide } from "../testing/set-up";
import { classOf } from "./document-pane";

const FOUND: ClassMisconceptions = {
  classId: "3B",
  fewest: 5,
  misconceptions: [
    {
      concept: "linear-search",
      title: "Linear search",
      course: "python-algorithms",
      kind: "logic_error",
      idea: "Steps that do not give the wanted result",
      example: "“None” instead of “2”",
      helps: ["Work through one failing example by hand."],
      learners: 8,
      since: "2026-03-02T12:00:00Z",
    },
    {
      concept: "lists",
      title: "Lists and slices",
      course: "python-algorithms",
      kind: "off_by_one",
      idea: "One too many or one too few",
      example: "",
      helps: [],
      learners: 5,
      since: null,
    },
  ],
};

const OPEN = "/plan?file=classes%2F3B.md";
const ADDRESS = "GET /api/plan/classes/3B/misconceptions";

beforeEach(makeWide);
afterEach(cleanUp);

test("only a profile is one of a class", () => {
  expect(classOf("classes/3B.md")).toBe("3B");
  expect(classOf("classes/deep/3B.md")).toBeNull();
  expect(classOf("lessons/3B.md")).toBeNull();
});

test("below the profile stands what many of the class get wrong, with numbers and what helps", async () => {
  renderApp(OPEN, planningServer().answer(ADDRESS, FOUND));
  const part = await screen.findByRole("region", { name: "What 3B gets wrong" });
  const rows = within(part).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining("Linear search: Steps that do not give the wanted result"),
    expect.stringContaining("5 learners"),
  ]);
  expect(part.textContent).toContain("As in “None” instead of “2”. Work through one failing example by hand. Since March 2, 2026.");
  expect(part.textContent).toContain("Shown from 5 learners on, never by name.");
});

test("a class of which nothing is known says so in one line", async () => {
  renderApp(OPEN, planningServer().answer(ADDRESS, { ...FOUND, misconceptions: [] }));
  const part = await screen.findByRole("region", { name: "What 3B gets wrong" });
  expect(part.textContent).toContain("Nothing that 5 learners get wrong is known.");
  expect(within(part).queryByRole("table")).toBeNull();
});
