import { render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { findingStrings } from "../pages/search/strings";
import { strings } from "../strings";
import { goodServer, renderApp } from "../testing/render-app";
import { SETUP } from "../testing/samples";
import { SIGNED_OUT } from "../wire/session-cache";
import { noticeStrings } from "./notices/strings";
import { usePageKeys } from "./shortcuts";

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
