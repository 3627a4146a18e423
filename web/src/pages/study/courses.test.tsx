import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { kindOf, MOST_BYTES, refusalOf } from "./courses";
import { coursesStrings as text } from "./strings-courses";
import { STUDY_TODAY, SUMMARY } from "./testing/samples";

const IMPORT = "POST /api/study/import?kind=csv&name=&file=words.csv";

function server(): FakeServer {
  return goodServer().answer("GET /api/study", STUDY_TODAY);
}

test("a file is told by its ending, and too large or strange ones are refused", () => {
  expect(["a.apkg", "B.CSV", "c.tsv", "d.zip", "e.pdf", "f"].map(kindOf)).toEqual(["anki", "csv", "csv", "exercism", null, null]);
  expect(refusalOf({ name: "e.pdf", size: 1 })?.message).toContain("e.pdf");
  expect(refusalOf({ name: "a.csv", size: MOST_BYTES + 1 })?.message).toContain("64.0 MB");
  expect(refusalOf({ name: "a.csv", size: 10 })).toBeNull();
});

test("courses that were begun come first, with how far one is", async () => {
  renderApp("/study/courses", server());
  const shelf = await screen.findByRole("region", { name: text.yours });
  expect(within(shelf).getByRole("link").textContent).toContain("1 of 4 mastered1 due");
  expect(within(screen.getByRole("region", { name: text.others })).getByRole("link").textContent).toContain("Memory");
});

test("a dropped table is imported and what came of it is told", async () => {
  const done = { course: SUMMARY, added: 12, there: 0, reviewed: 0, differing: [], leftOut: ["line 3: no back"], remarks: [] };
  const { user, server: asked } = renderApp("/study/courses", server().answer(IMPORT, done));
  const button = await screen.findByRole("button", { name: text.import.choose });
  const file = new File(["front,back\n"], "words.csv", { type: "text/csv" });
  fireEvent.drop(button, { dataTransfer: { files: [file] } });
  await user.click(screen.getByRole("button", { name: text.import.submit }));
  expect(await screen.findByText(text.import.added(12, 0))).toBeTruthy();
  expect(screen.getByText("line 3: no back")).toBeTruthy();
  expect(asked.asked.some(({ method, path }) => `${method} ${path}` === IMPORT)).toBe(true);
});

test("an import that fails says why, and the file may be mended and tried again", async () => {
  const { user } = renderApp("/study/courses", server().fail(IMPORT, 400, "Line 4 has no back", "Add a second column."));
  const input = await screen.findByLabelText(text.import.choose, { selector: "input" });
  await user.upload(input, new File(["x"], "words.csv"));
  await user.click(screen.getByRole("button", { name: text.import.submit }));
  expect((await screen.findByRole("alert")).textContent).toContain("Line 4 has no back");
});

test("a name that is taken is told beside the form of a new course", async () => {
  const taken = server().fail("POST /api/study/courses", 409, "There is a course `malay` already", "Give it another name.");
  const { user, server: asked } = renderApp("/study/courses", taken);
  await user.click(await screen.findByRole("radio", { name: "A language" }));
  await user.type(screen.getByLabelText(text.make.name), "malay");
  await user.click(screen.getByRole("button", { name: text.make.submit }));
  expect((await screen.findByRole("alert")).textContent).toContain("another name");
  expect(asked.asked.at(-1)?.body).toEqual({ name: "malay", template: "language", title: null });
});
