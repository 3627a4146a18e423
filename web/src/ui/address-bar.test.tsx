import { act, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { changed, isFiltered, oneOf, useAddressParts } from "./address-bar";

afterEach(() => {
  window.history.replaceState(null, "", "/");
});

test("what is not named stays, and null and nothing take a part out", () => {
  const before = new URLSearchParams("a=1&b=2&c=3");
  expect(changed(before, { b: null, c: "", d: "x y" }).toString()).toBe("a=1&d=x+y");
  expect(before.toString()).toBe("a=1&b=2&c=3");
});

test("only words that are known count", () => {
  expect(oneOf("deny", { deny: "Denied" })).toBe("deny");
  expect(oneOf("toString", { deny: "Denied" })).toBeNull();
  expect(oneOf(null, { deny: "Denied" })).toBeNull();
});

test("a filter that holds nothing is none", () => {
  expect(isFiltered({ query: "", rule: null })).toBe(false);
  expect(isFiltered({ query: "", rule: "git" })).toBe(true);
});

test("a page changes its address, as a step back or in place", () => {
  window.history.replaceState(null, "", "/guard?rule=git");
  const { result } = renderHook(() => useAddressParts<"query" | "rule">());
  const before = window.history.length;
  act(() => {
    result.current.go({ query: "push" }, { replace: true });
  });
  expect(window.location.search).toBe("?rule=git&query=push");
  expect(window.history.length).toBe(before);
  act(() => {
    result.current.go({ rule: null });
  });
  expect(window.location.search).toBe("?query=push");
  expect(result.current.found.get("query")).toBe("push");
});
