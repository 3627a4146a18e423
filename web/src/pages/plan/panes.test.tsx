import { fireEvent, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { renderApp } from "../../testing/render-app";
import { DOCUMENT, useSizes, within, WORKSPACE } from "../../ui/panes/sizes";
import { planStrings } from "./strings";
import { cleanUp, makeWide, planningServer, setWidth } from "./testing/samples";

const text = planStrings.panes;

afterEach(() => {
  setWidth(1024);
  cleanUp();
});

test("on a phone the parts are tabs, and the address remembers which", async () => {
  setWidth(375);
  const { user } = renderApp("/plan", planningServer());
  await screen.findByRole("heading", { name: planStrings.welcome.heading });
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([text.workspace, text.chat]);
  await user.click(screen.getByRole("tab", { name: text.workspace }));
  expect(window.location.search).toBe("?pane=workspace");
  expect(screen.queryByRole("heading", { name: planStrings.welcome.heading })).toBeNull();
  await user.click(await screen.findByRole("button", { name: /Fixed loops/ }));
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe(text.document);
  await user.click(screen.getByRole("button", { name: planStrings.document.close }));
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe(text.chat);
});

test("where two have room, a document takes the place of the conversation", async () => {
  setWidth(1100);
  const { user } = renderApp("/plan?lesson=lessons%2Floops.md&pane=document", planningServer());
  await screen.findByRole("article", { name: "Fixed loops" });
  expect(screen.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([text.chat, text.document]);
  expect(screen.getByRole("region", { name: text.workspace })).toBeTruthy();
  await user.click(screen.getByRole("tab", { name: text.chat }));
  expect(await screen.findByRole("heading", { name: planStrings.welcome.heading })).toBeTruthy();
});

test("the workspace is hidden and shown again, and its width moves with the arrow keys", async () => {
  makeWide();
  const { user } = renderApp("/plan?lesson=lessons%2Floops.md", planningServer());
  await screen.findByRole("article", { name: "Fixed loops" });
  const line = screen.getByRole("separator", { name: text.resizeWorkspace });
  line.focus();
  await user.keyboard("{ArrowRight}");
  expect(line.getAttribute("aria-valuenow")).toBe(String(WORKSPACE.usual + WORKSPACE.step));
  await user.keyboard("{Home}{ArrowLeft}");
  expect(line.getAttribute("aria-valuenow")).toBe(String(WORKSPACE.least));
  await user.keyboard("{End}x");
  expect(line.getAttribute("aria-valuenow")).toBe(String(WORKSPACE.most));
  screen.getByRole("separator", { name: text.resizeDocument }).focus();
  await user.keyboard("{ArrowLeft}");
  expect(useSizes.getState().document).toBe(DOCUMENT.usual + DOCUMENT.step);
  await user.click(screen.getByRole("button", { name: text.hide }));
  expect(screen.queryByRole("region", { name: text.workspace })).toBeNull();
  await user.click(screen.getByRole("button", { name: text.show }));
  await waitFor(() => {
    expect(screen.getByRole("region", { name: text.workspace })).toBeTruthy();
  });
});

test("a line is dragged, but never so far that a pane is lost", async () => {
  makeWide();
  renderApp("/plan", planningServer());
  await screen.findByRole("heading", { name: planStrings.welcome.heading });
  const line = screen.getByRole("separator", { name: text.resizeWorkspace });
  let isHeld = false;
  line.setPointerCapture = () => {
    isHeld = true;
  };
  line.hasPointerCapture = () => isHeld;
  fireEvent.pointerMove(line, { clientX: 300 });
  expect(useSizes.getState().workspace).toBe(WORKSPACE.usual);
  fireEvent.pointerDown(line);
  fireEvent.pointerMove(line, { clientX: 300 });
  expect(useSizes.getState().workspace).toBe(300);
  fireEvent.pointerMove(line, { clientX: 5000 });
  expect(useSizes.getState().workspace).toBe(WORKSPACE.most);
  expect(within(-5, WORKSPACE)).toBe(WORKSPACE.least);
});
