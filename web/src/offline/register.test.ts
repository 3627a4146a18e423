import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { AFTER_MS, registerLater } from "./register";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function withWorker(register: () => Promise<unknown>): void {
  vi.stubGlobal("navigator", { serviceWorker: { register } });
}

test("the worker is put to work only after the page had its time", () => {
  const register = vi.fn(() => Promise.resolve());
  withWorker(register);
  registerLater(window);
  vi.advanceTimersByTime(AFTER_MS - 1);
  expect(register).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(register).toHaveBeenCalledTimes(1);
});

test("a worker that is refused disturbs nobody", async () => {
  withWorker(() => Promise.reject(new Error("refused")));
  registerLater(window);
  await vi.advanceTimersByTimeAsync(AFTER_MS);
});

test("without workers nothing is tried", () => {
  vi.stubGlobal("navigator", {});
  registerLater(window);
  expect(vi.getTimerCount()).toBe(0);
});
