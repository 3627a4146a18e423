import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { goodServer, renderApp } from "../../testing/render-app";
import { placesFor } from "./found";
import { findingStrings as text } from "./strings";
import { FOUND, LESSONS } from "./testing/samples";

const ASK = "GET /api/search?q=loops&limit=8";

async function box(): Promise<HTMLElement> {
  return await screen.findByLabelText(text.label);
}

test("what is typed is found behind all doors, and the address can be kept", async () => {
  const { user } = renderApp("/search", goodServer().answer(ASK, FOUND));
  expect(await screen.findByText(text.teach.heading)).toBeTruthy();
  await user.type(await box(), "loops");
  const lessons = await screen.findByRole("region", { name: text.kinds.lesson });
  expect(within(lessons).getByRole("link").getAttribute("href")).toBe(LESSONS.hits[0]?.link);
  expect(within(lessons).getByText("Loops").tagName).toBe("MARK");
  await waitFor(() => {
    expect(window.location.search).toBe("?q=loops");
  });
  expect(screen.getByText(text.count(2, true))).toBeTruthy();
});

test("an address with words searches at once", async () => {
  renderApp("/search?q=loops", goodServer().answer(ASK, FOUND));
  expect(await screen.findByRole("region", { name: text.kinds.memory })).toBeTruthy();
});

test("one door can be chosen, and more is asked for", async () => {
  const server = goodServer().answer(ASK, FOUND).answer("GET /api/search?q=loops&limit=50", FOUND);
  const { user } = renderApp("/search?q=loops", server);
  await screen.findByRole("region", { name: text.kinds.memory });
  await user.click(screen.getByRole("button", { name: text.doors.memory }));
  expect(screen.queryByRole("region", { name: text.kinds.lesson })).toBeNull();
  await user.click(screen.getByRole("button", { name: `${text.more}: ${text.kinds.memory}` }));
  await waitFor(() => {
    expect(server.asked.map(({ path }) => path)).toContain("/api/search?q=loops&limit=50");
  });
});

test("arrow keys lead through the hits and back to the box", async () => {
  const { user } = renderApp("/search?q=loops", goodServer().answer(ASK, FOUND));
  await screen.findByRole("region", { name: text.kinds.memory });
  (await box()).focus();
  await user.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.activeElement?.textContent).toContain("They like loops");
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toContain("They like loops");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(document.activeElement).toBe(await box());
});

test("nothing found says what to try; a source that failed is named beside the rest", async () => {
  const problem = { source: "traces", message: "The database is locked", hint: "Stop the other Paige." };
  const server = goodServer()
    .answer("GET /api/search?q=zzz&limit=8", { groups: [], problems: [] })
    .answer(ASK, { groups: [LESSONS], problems: [problem] });
  const { user } = renderApp("/search?q=zzz", server);
  expect(await screen.findByText(text.none("zzz"))).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.clear }));
  await user.type(await box(), "loops");
  expect(await screen.findByText(/The database is locked/)).toBeTruthy();
  expect(screen.getByRole("region", { name: text.kinds.lesson })).toBeTruthy();
});

test("a search that fails can be tried again", async () => {
  const server = goodServer().fail(ASK, 503, "Busy", "Try later.");
  const { user } = renderApp("/search?q=loops", server);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Busy");
  server.answer(ASK, FOUND);
  await user.click(within(alert).getByRole("button"));
  expect(await screen.findByRole("region", { name: text.kinds.lesson })).toBeTruthy();
});

test("pages are found by other words than their name, without asking anybody", () => {
  expect(placesFor("price").map(({ path }) => path)).toEqual(["/costs"]);
  expect(placesFor("gua rul").map(({ path }) => path)).toEqual(["/guard?tab=rules"]);
  expect(placesFor("  ")).toEqual([]);
});
