import { expect, test } from "vitest";

import { applyTheme, nextTheme, useTheme } from "./theme";

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
