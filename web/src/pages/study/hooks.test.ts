import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { courseKey, fileKey, PROFILE_KEY, stepKey, takeInStudy, TODAY_KEY } from "./hooks";

test("news of one course let the other courses be", () => {
  const queries = new QueryClient();
  const keys = [stepKey("a"), courseKey("a"), fileKey("a", "x.md"), TODAY_KEY, PROFILE_KEY, stepKey("b"), courseKey("b")];
  for (const key of keys) queries.setQueryData(key, { text: "x" });
  takeInStudy(queries, { course: "a", session: "s", learner: null, step: 3 });
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, false, true, true, false, false]);
});
