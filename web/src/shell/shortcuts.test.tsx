import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { findingStrings } from "../pages/search/strings";
import { strings } from "../strings";
import { goodServer, renderApp } from "../testing/render-app";
import { NO_PASSCODE, SETUP } from "../testing/samples";
import type { ConnectionState } from "../wire/machine";
import { SIGNED_OUT } from "../wire/session-cache";
import { noticeStrings } from "./notices/strings";
import { helpFor } from "./help";
import { announce } from "./shell";
import { usePageKeys } from "./shortcuts";
import { applyTheme, nextTheme, useTheme } from "./theme-button";

test("the question mark shows the shortcuts", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  await user.keyboard("?");
  expect(await screen.findByRole("dialog", { name: strings.shortcuts.title })).toBeTruthy();
});

test("a question mark in the palette is only typed", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "?");
  expect(screen.queryByRole("dialog", { name: strings.shortcuts.title })).toBeNull();
});

test("the question mark can be turned off, and the button still works", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  await user.click(screen.getByRole("button", { name: strings.shortcuts.title }));
  await user.click(await screen.findByRole("switch", { name: strings.shortcuts.singleKey }));
  await user.keyboard("{Escape}");
  await user.keyboard("?");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("shortcuts do nothing before somebody signed in", async () => {
  const { user } = renderApp("/", goodServer().answer("GET /api/session", SIGNED_OUT));
  await screen.findByLabelText(strings.signIn.passcode);
  await user.keyboard("{Control>}k{/Control}");
  expect(screen.queryByRole("dialog")).toBeNull();
});

test.each([
  ["gp", "/plan"],
  ["gs", "/study"],
  ["gc", "/coach"],
  ["gu", "/guard"],
  ["gm", "/memory"],
  ["gh", "/"],
])("%s goes to %s", async (keys, path) => {
  const { user } = renderApp("/nowhere");
  await screen.findByRole("heading", { level: 1, name: strings.notFound.heading });
  await user.keyboard(keys);
  expect(window.location.pathname).toBe(path);
});

test("while the second key is waited for it is shown where it leads; another key stops that", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  await user.keyboard("g");
  expect(screen.getByText(strings.shortcuts.goTo)).toBeTruthy();
  await user.keyboard("x");
  expect(screen.queryByText(strings.shortcuts.goTo)).toBeNull();
  await user.keyboard("p");
  expect(window.location.pathname).toBe("/");
});

test("G and N opens what waits", async () => {
  const { user } = renderApp("/", goodServer().answer("GET /api/notices", { notices: [], problems: [] }));
  await screen.findByText(SETUP.version);
  await user.keyboard("gn");
  expect(await screen.findByRole("dialog", { name: noticeStrings.title })).toBeTruthy();
});

test("the slash leads to the search over everything, and on a page with a search of its own to that", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  await user.keyboard("/");
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByLabelText(findingStrings.label));
  });
  await user.keyboard("a/b");
  expect((document.activeElement as HTMLInputElement).value).toBe("a/b");
});

test("a page lists keys of its own for as long as it is shown, and may have them carried out", async () => {
  let count = 0;
  const keys = [{ keys: ["J"], does: "Jump", run: () => (count += 1) }];
  function Own(): null {
    usePageKeys("On this page", keys);
    return null;
  }
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  const own = render(<Own />);
  await user.keyboard("jJ");
  expect(count).toBe(2);
  await user.keyboard("?");
  expect((await screen.findByRole("dialog")).textContent).toContain("On this pageJumpJ");
  await user.keyboard("j");
  expect(count).toBe(2);
  own.unmount();
  expect(screen.queryByText("On this page")).toBeNull();
});

const CONNECTING: ConnectionState = { name: "connecting", attempt: 1 };
const WAITING: ConnectionState = { name: "waiting", attempt: 1, retryInMs: 500 };
const OPEN: ConnectionState = { name: "open" };

function announcements(states: ConnectionState[]): string[] {
  let said = "";
  return states.map((state) => (said = announce(said, state)));
}

test("the first connection is not announced", () => {
  expect(announcements([CONNECTING, OPEN])).toEqual(["", ""]);
});

test("a loss is announced once, however often it is retried, and so is the return", () => {
  const { lost, found } = strings.connection;
  expect(announcements([OPEN, WAITING, CONNECTING, WAITING, CONNECTING, OPEN])).toEqual(["", lost, lost, lost, lost, found]);
});

test("every page of the demo says that it is the demo", async () => {
  renderApp("/", goodServer().answer("GET /api/session", { ...NO_PASSCODE, demo: true }));
  expect(await screen.findByText(strings.demo)).toBeTruthy();
});

test("an installation of one's own says nothing of a demo", async () => {
  renderApp("/");
  await screen.findByText(SETUP.version);
  expect(screen.queryByText(strings.demo)).toBeNull();
});

test("help leads to the page that is about what one sees", () => {
  expect(helpFor("/plan")).toBe("/docs/how-to/plan-a-lesson.html");
  expect(helpFor("/study/python-algorithms/session")).toBe("/docs/how-to/study-a-course.html");
  expect(helpFor("/guard/guards/no-force-push")).toBe("/docs/how-to/teach-paige-a-guard.html");
});

test("where no page is about it, help leads to the home of the documentation", () => {
  expect(helpFor("/")).toBe("/docs/");
  expect(helpFor("/planning")).toBe("/docs/");
});

test("one button goes round all themes", () => {
  expect(nextTheme("system")).toBe("light");
  expect(nextTheme("light")).toBe("dark");
  expect(nextTheme("dark")).toBe("system");
});

test("a chosen theme is set on the page, and the system's choice is no attribute at all", () => {
  const root = document.createElement("html");
  const stop = applyTheme(root);
  useTheme.getState().setTheme("dark");
  expect(root.dataset.theme).toBe("dark");
  useTheme.getState().setTheme("system");
  expect(root.dataset.theme).toBeUndefined();
  stop();
});

test("the choice is stored where public/theme.js looks for it before the first paint", () => {
  useTheme.getState().setTheme("light");
  expect(JSON.parse(localStorage.getItem("paige-theme") ?? "null")).toMatchObject({ state: { theme: "light" } });
});
