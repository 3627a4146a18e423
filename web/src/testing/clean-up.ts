/** Leaves nothing of one test for the next, and lets no warning pass. */

import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";

import { useDrafts } from "../pages/memory/drafts";
import { useAlerts, useSeen, useUnseenCount } from "../shell/notices/alerts";
import { useOverlay } from "../shell/overlay";
import { useGoing, useSingleKey } from "../shell/shortcuts";
import { useTheme } from "../shell/theme-button";
import { useToasts } from "../ui/toasts";

// Pages are fetched when they are first opened, which takes its time on a machine with much to do.
configure({ asyncUtilTimeout: 15_000 });

beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  useAlerts.setState(useAlerts.getInitialState());
  useDrafts.setState(useDrafts.getInitialState());
  useGoing.setState(useGoing.getInitialState());
  useOverlay.setState(useOverlay.getInitialState());
  useSeen.setState(useSeen.getInitialState());
  useSingleKey.setState(useSingleKey.getInitialState());
  useTheme.setState(useTheme.getInitialState());
  useToasts.setState(useToasts.getInitialState());
  useUnseenCount.setState(useUnseenCount.getInitialState());
  // A test that expects a warning takes it away with mockClear().
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

// What browsers do for a dialog and the window of these tests does not: the focus, and Escape.
HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement): void {
  this.open = true;
  (this.querySelector<HTMLElement>("[autofocus]") ?? this.querySelector<HTMLElement>("input, a, button"))?.focus();
};
// All files share one window, and each would add its own listener.
if (!("closesDialogs" in window)) {
  Object.assign(window, { closesDialogs: true });
  window.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    [...document.querySelectorAll("dialog[open]")].at(-1)?.dispatchEvent(new Event("cancel", { cancelable: true }));
  });
}
