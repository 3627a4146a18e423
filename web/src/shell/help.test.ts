import { expect, test } from "vitest";

import { helpFor } from "./help";

test("help leads to the page that is about what one sees", () => {
  expect(helpFor("/plan")).toBe("/docs/how-to/plan-a-lesson.html");
  expect(helpFor("/study/python-algorithms/session")).toBe("/docs/how-to/study-a-course.html");
  expect(helpFor("/guard/guards/no-force-push")).toBe("/docs/how-to/teach-paige-a-guard.html");
});

test("where no page is about it, help leads to the home of the documentation", () => {
  expect(helpFor("/")).toBe("/docs/");
  expect(helpFor("/planning")).toBe("/docs/");
});
