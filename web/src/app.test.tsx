import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "./strings";
import { goodServer, renderApp } from "./testing/render-app";
import { SETUP } from "./testing/samples";

function mainNavigation(): HTMLElement {
  const [sidebar] = screen.getAllByRole("navigation", { name: strings.navigation });
  if (sidebar === undefined) throw new Error("there is no navigation");
  return sidebar;
}

test("Home says what Paige is and leads to the four doors", async () => {
  renderApp("/");
  const doors = await screen.findByRole("region", { name: strings.welcome.doors });
  expect(within(doors).getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/plan",
    "/study",
    "/coach",
    "/guard",
  ]);
  expect(document.title).toBe("Home · Paige");
});

// Plan has a page of its own, with tests beside it.
test.each(SETUP.doors.filter(({ id }) => id !== "plan" && id !== "study"))("the address of the door $title leads straight to it", async (door) => {
  renderApp(`/${door.id}`);
  expect(await screen.findByText(door.summary)).toBeTruthy();
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(door.title);
  expect(document.title).toBe(`${door.title} · Paige`);
});

test("an unknown address says so and leads home", async () => {
  const { user } = renderApp("/nowhere");
  await user.click(await screen.findByRole("link", { name: strings.notFound.home }));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(strings.welcome.heading);
});

test("following a link moves the focus to the heading; the first page leaves it alone", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  expect(document.activeElement).toBe(document.body);
  await user.click(within(mainNavigation()).getByRole("link", { name: strings.doors.coach }));
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
  expect(within(mainNavigation()).getByRole("link", { current: "page" }).textContent).toBe(strings.doors.coach);
});

test.each(["/coach", "/coach/"])("the navigation marks the page at %s", async (path) => {
  renderApp(path);
  await screen.findByText("Be coached.");
  const current = within(mainNavigation()).getAllByRole("link", { current: "page" });
  expect(current.map((link) => link.textContent)).toEqual([strings.doors.coach]);
});

test("while the setup is read, the page says so", async () => {
  renderApp("/");
  expect(screen.getByText(strings.setup.loading)).toBeTruthy();
  expect(await screen.findByText(SETUP.dataDir)).toBeTruthy();
});

test("a setup that cannot be read says why and what to do, and can be retried", async () => {
  const server = goodServer().fail("GET /api/setup", 503, "The database is locked", "Stop the other Paige.");
  const { user } = renderApp("/", server);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The database is locked");
  expect(alert.textContent).toContain("Stop the other Paige.");
  server.answer("GET /api/setup", SETUP);
  await user.click(within(alert).getByRole("button", { name: strings.errors.retry }));
  expect(await screen.findByText(SETUP.dataDir)).toBeTruthy();
});

test("a server that does not answer is explained on any page", async () => {
  renderApp("/study", goodServer().lose("GET /api/session"));
  expect((await screen.findByRole("alert")).textContent).toContain(strings.errors.unreachable);
});

test("what could not be read is read again when the connection opens", async () => {
  const server = goodServer().lose("GET /api/setup");
  const { world } = renderApp("/", server);
  await screen.findByRole("alert");
  server.answer("GET /api/setup", SETUP);
  act(() => {
    world.accept();
  });
  expect(await screen.findByText(SETUP.dataDir)).toBeTruthy();
});

test("Home shows the checks that need a look: status in words, message and fix", async () => {
  renderApp("/");
  const checks = await screen.findByRole("region", { name: strings.setup.checks });
  const rows = within(checks).getAllByRole("listitem").map((row) => row.textContent);
  expect(rows).toEqual([
    "ProviderWorth a lookNo keyWhat to do: Set PAIGE_KEY.",
    "ProjectBrokenNot a repositoryWhat to do: Run git init.",
  ]);
  expect(within(checks).getByText("1 of 3 broken")).toBeTruthy();
});

test("a resync reads everything again", async () => {
  const { world, server } = renderApp("/");
  await screen.findByText(SETUP.version);
  act(() => {
    world.accept();
    world.socket.receive("connection:resync", { oldest: 3, latest: 8 }, { seq: 8 });
  });
  await waitFor(() => {
    expect(server.asked.filter(({ path }) => path === "/api/setup")).toHaveLength(2);
  });
});

test("the state of the connection is shown in words", async () => {
  const { world } = renderApp("/");
  await screen.findByText(SETUP.version);
  expect(screen.getByText("Connecting…")).toBeTruthy();
  act(() => {
    world.accept();
  });
  expect(screen.getByText("Connected")).toBeTruthy();
  act(() => {
    world.socket.listener.closed(1006);
  });
  expect(screen.getByText("Retrying in 1 s")).toBeTruthy();
  expect(screen.getByText(strings.connection.lost).getAttribute("role")).toBe("status");
});

test("an error on the connection becomes a notice", async () => {
  const { world } = renderApp("/");
  await screen.findByText(SETUP.version);
  act(() => {
    world.accept();
    world.socket.receive("connection:error", { code: "X", message: "Not built yet", context: null });
  });
  expect(await screen.findByText("Not built yet")).toBeTruthy();
});
