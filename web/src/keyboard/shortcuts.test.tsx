import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { SIGNED_OUT } from "../api/session-cache";
import { strings } from "../strings";
import { goodServer, renderApp } from "../testing/render-app";
import { SETUP } from "../testing/samples";

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
