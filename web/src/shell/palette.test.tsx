import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { findingStrings } from "../pages/search/strings";
import { FOUND, LESSONS } from "../pages/search/testing/samples";
import { strings } from "../strings";
import { goodServer, renderApp } from "../testing/render-app";
import { SETUP } from "../testing/samples";
import { useTheme } from "./theme-button";

type Rendered = ReturnType<typeof renderApp>;

async function openPalette(): Promise<Rendered> {
  const app = renderApp("/");
  await screen.findByText(SETUP.version);
  await app.user.keyboard("{Control>}k{/Control}");
  await screen.findByRole("dialog");
  return app;
}

test("Ctrl+K opens the palette, Escape closes it and gives the focus back", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  screen.getByRole("button", { name: /Commands/ }).focus();
  await user.keyboard("{Control>}k{/Control}");
  expect(await screen.findByRole("combobox")).toBe(document.activeElement);
  await user.keyboard("{Escape}");
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole("button", { name: /Commands/ }));
  });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("typing a page and Enter goes there", async () => {
  const { user } = await openPalette();
  await user.keyboard("guard{Enter}");
  expect(window.location.pathname).toBe("/guard");
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1, name: strings.doors.guard }));
  });
  expect(screen.queryByRole("dialog")).toBeNull();
});

test("a theme can be chosen", async () => {
  const { user } = await openPalette();
  await user.click(screen.getByRole("option", { name: strings.palette.theme(strings.theme.names.dark) }));
  expect(useTheme.getState().theme).toBe("dark");
});

test("the setup report is copied, and a notice says so", async () => {
  const { user } = await openPalette();
  await user.click(screen.getByRole("option", { name: strings.palette.copyReport }));
  expect(await screen.findByText(strings.notices.reportCopied)).toBeTruthy();
  expect(await navigator.clipboard.readText()).toContain("Paige 1.2.3");
});

test("the setup is read again on demand, and a failure does not take away what is shown", async () => {
  const { user, server } = await openPalette();
  server.fail("GET /api/setup", 503, "Busy", "Try later.");
  await user.click(screen.getByRole("option", { name: strings.palette.reload }));
  expect(await screen.findByText(strings.notices.refreshFailed)).toBeTruthy();
  expect(screen.getByText(SETUP.dataDir)).toBeTruthy();
});

test("without a passcode there is nothing to sign out of", async () => {
  await openPalette();
  expect(screen.queryByRole("option", { name: strings.palette.signOut })).toBeNull();
});

test("nothing that matches is said in words", async () => {
  const { user } = await openPalette();
  await user.keyboard("zzzz");
  expect(screen.getByText(strings.palette.empty)).toBeTruthy();
});

test("the shortcuts take the palette's place, and the focus returns to where it was before both", async () => {
  const { user } = renderApp("/");
  await screen.findByText(SETUP.version);
  const button = screen.getByRole("button", { name: /Commands/ });
  await user.click(button);
  await user.click(await screen.findByRole("option", { name: strings.palette.shortcuts }));
  await screen.findByRole("dialog", { name: strings.shortcuts.title });
  await user.keyboard("{Escape}");
  await waitFor(() => {
    expect(document.activeElement).toBe(button);
  });
});

test("what the person has is found below the pages, and Enter opens it", async () => {
  const server = goodServer().answer("GET /api/search?q=loops&limit=3", FOUND);
  const { user } = renderApp("/", server);
  await screen.findByText(SETUP.version);
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "loops");
  const hit = await screen.findByRole("option", { name: /Loops for 3B/ });
  expect(screen.getByText(findingStrings.palette.status(2)).getAttribute("role")).toBe("status");
  await user.click(hit);
  expect(`${window.location.pathname}${window.location.search}`).toBe(LESSONS.hits[0]?.link);
});

test("the palette leads on to the search over everything", async () => {
  const server = goodServer()
    .answer("GET /api/search?q=loops&limit=3", { groups: [], problems: [] })
    .answer("GET /api/search?q=loops&limit=8", FOUND);
  const { user } = renderApp("/", server);
  await screen.findByText(SETUP.version);
  await user.keyboard("{Control>}k{/Control}");
  await user.type(await screen.findByRole("combobox"), "loops");
  await user.click(await screen.findByRole("option", { name: findingStrings.palette.everything("loops") }));
  expect(await screen.findByRole("region", { name: findingStrings.kinds.lesson })).toBeTruthy();
  await waitFor(() => {
    expect(document.activeElement).toBe(screen.getByLabelText(findingStrings.label));
  });
});

test("letters are not asked one by one, and a question that is over is taken back", async () => {
  const { user, server } = await openPalette();
  await user.keyboard("loop");
  await waitFor(() => {
    expect(server.asked.some(({ path }) => path.startsWith("/api/search"))).toBe(true);
  });
  expect(server.asked.filter(({ path }) => path.startsWith("/api/search"))).toHaveLength(1);
});
