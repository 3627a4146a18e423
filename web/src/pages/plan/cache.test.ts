import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { askAfresh, fileKey, takeInFile, takeInRun, transcriptKey } from "./cache";

test("an answer that was on its way while something changed is asked for again", async () => {
  const queries = new QueryClient();
  const answers = ["running", "waiting"];
  const answer = await askAfresh(() => {
    if (answers.length === 2) takeInRun(queries);
    return Promise.resolve(answers.shift());
  });
  expect(answer).toBe("waiting");
});

test("a server that changes all the time is not asked forever", async () => {
  const queries = new QueryClient();
  let asked = 0;
  await askAfresh(() => {
    asked += 1;
    takeInFile(queries, { path: "a.md", action: "written" });
    return Promise.resolve(asked);
  });
  expect(asked).toBe(4);
});

test("a file that is gone is not asked for again, and sessions do not depend on files", () => {
  const queries = new QueryClient();
  for (const key of [fileKey("a.md"), fileKey("b.md"), transcriptKey("s1")]) queries.setQueryData(key, { text: "x" });
  takeInFile(queries, { path: "a.md", action: "deleted" });
  expect(queries.getQueryData(fileKey("a.md"))).toBeNull();
  expect([fileKey("a.md"), fileKey("b.md"), transcriptKey("s1")].map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([
    false,
    true,
    false,
  ]);
});
