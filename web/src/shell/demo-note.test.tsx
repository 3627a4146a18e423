import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../strings";
import { goodServer, renderApp } from "../testing/render-app";
import { NO_PASSCODE, SETUP } from "../testing/samples";

test("every page of the demo says that it is the demo", async () => {
  renderApp("/", goodServer().answer("GET /api/session", { ...NO_PASSCODE, demo: true }));
  expect(await screen.findByText(strings.demo)).toBeTruthy();
});

test("an installation of one's own says nothing of a demo", async () => {
  renderApp("/");
  await screen.findByText(SETUP.version);
  expect(screen.queryByText(strings.demo)).toBeNull();
});
