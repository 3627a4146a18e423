/** Leaves nothing of one test for the next, and lets no warning pass. */

import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";

import { useOverlay } from "../keyboard/overlay";
import { useSingleKey } from "../keyboard/single-key";
import { useDrafts } from "../pages/memory/documents/drafts";
import { useTheme } from "../theme/theme";
import { useToasts } from "../toasts/toasts";

beforeEach(() => {
  vi.spyOn(console, "error");
  vi.spyOn(console, "warn");
});

afterEach(() => {
  cleanup();
  localStorage.clear();
  useDrafts.setState(useDrafts.getInitialState());
  useOverlay.setState(useOverlay.getInitialState());
  useSingleKey.setState(useSingleKey.getInitialState());
  useTheme.setState(useTheme.getInitialState());
  useToasts.setState(useToasts.getInitialState());
  // A test that expects a warning takes it away with mockClear().
  expect(console.error).not.toHaveBeenCalled();
  expect(console.warn).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
