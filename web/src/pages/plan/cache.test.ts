import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

import { FakeServer } from "../../testing/fake-server";
import { keep, nameIn } from "../../wire/http";
import { createPlanApi, exportAddress } from "./api";
import { fileKey, joined, takeInDeed, takeInFile, transcriptKey, useLive } from "./cache";
import { cleanUp, transcript } from "./testing/samples";

afterEach(() => {
  vi.useRealTimers();
});

const REST_MS = 1000;

test("a first answer that was on its way while something changed is asked for again", async () => {
  vi.useFakeTimers();
  const queries = new QueryClient();
  const answers: ((text: string) => void)[] = [];
  const queryFn = (): Promise<string> => new Promise((answer) => answers.push(answer));
  const observer = new QueryObserver(queries, { queryKey: transcriptKey("s1"), queryFn });
  const stop = observer.subscribe(() => undefined);
  takeInDeed(queries);
  await vi.advanceTimersByTimeAsync(REST_MS);
  answers[0]?.("running");
  answers[1]?.("waiting");
  await vi.advanceTimersByTimeAsync(REST_MS);
  expect([observer.getCurrentResult().data, answers.length]).toEqual(["waiting", 2]);
  stop();
});

test("several news of one moment are one reason to ask", async () => {
  vi.useFakeTimers();
  const queries = new QueryClient();
  let asked = 0;
  const observer = new QueryObserver(queries, { queryKey: fileKey("a.md"), queryFn: () => (asked += 1), initialData: 0, staleTime: Infinity });
  const stop = observer.subscribe(() => undefined);
  for (let news = 0; news < 9; news += 1) takeInFile(queries, { path: "a.md", action: "written" });
  await vi.advanceTimersByTimeAsync(REST_MS);
  expect(asked).toBe(1);
  stop();
});

test("a file that is gone is not asked for again, and sessions do not depend on files", async () => {
  vi.useFakeTimers();
  const queries = new QueryClient();
  for (const key of [fileKey("a.md"), fileKey("b.md"), transcriptKey("s1")]) queries.setQueryData(key, { text: "x" });
  takeInFile(queries, { path: "a.md", action: "deleted" });
  await vi.advanceTimersByTimeAsync(REST_MS);
  expect(queries.getQueryData(fileKey("a.md"))).toBeNull();
  expect([fileKey("a.md"), fileKey("b.md"), transcriptKey("s1")].map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([
    false,
    true,
    false,
  ]);
});

function api(server: FakeServer): ReturnType<typeof createPlanApi> {
  return createPlanApi({ fetch: server.fetch, csrf: () => "token" });
}

test("paths and questions reach the server as they are", async () => {
  const server = new FakeServer()
    .answer("GET /api/plan/file?path=classes%2F3+B.md", { text: "x" })
    .answer("POST /api/plan/runs/r1/gates/pre_loop/hook/0/a%3Fb", {})
    .answer("GET /api/plan/sessions?limit=5", { sessions: [] })
    .answer("DELETE /api/plan/file?path=a.md&version=v1", {});
  const plan = api(server);
  await plan.readFile("classes/3 B.md");
  await plan.answer("r1", "pre_loop/hook/0/a?b", { revision: 1, reply: {} });
  await plan.sessions({ query: "", limit: 5 });
  await plan.deleteFile("a.md", "v1");
  expect(server.asked).toHaveLength(4);
});

test("a file is fetched with the name the server gives it", async () => {
  const content = new Response("words", { headers: { "Content-Disposition": `attachment; filename="a.docx"; filename*=UTF-8''caf%C3%A9.docx` } });
  const plan = createPlanApi({ fetch: () => Promise.resolve(content), csrf: () => null });
  const file = await plan.download("lessons/a.md", "docx");
  expect(file.name).toBe("café.docx");
  expect(await file.content.text()).toBe("words");
  expect(exportAddress("lessons/a.md", "docx")).toBe("/api/plan/export?path=lessons%2Fa.md&to=docx");
});

test("a file that cannot be made says why", async () => {
  const question = "GET /api/plan/export?path=a.md&to=ics";
  const plan = api(new FakeServer().fail(question, 400, "The text cannot be read as a lesson", "Change those lines."));
  await expect(plan.download("a.md", "ics")).rejects.toMatchObject({ hint: "Change those lines.", status: 400 });
  await expect(api(new FakeServer().lose(question)).download("a.md", "ics")).rejects.toMatchObject({ status: null });
  await expect(api(new FakeServer().answer(question, "<html>", 502)).download("a.md", "ics")).rejects.toMatchObject({ status: 502 });
});

test.each([
  [null, "lesson"],
  ["attachment; filename=plain.md", "plain.md"],
  ['attachment; filename="quoted.md"', "quoted.md"],
])("the name in %s is %s", (header, name) => {
  expect(nameIn(header)).toBe(name);
});

test("a file is handed to the browser and let go of", () => {
  vi.useFakeTimers();
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
  const made = vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:1");
  const gone = vi.spyOn(URL, "revokeObjectURL").mockReturnValue();
  keep({ name: "a.md", content: new Blob(["x"]) });
  vi.runAllTimers();
  expect([made, clicked, gone].map((spy) => spy.mock.calls.length)).toEqual([1, 1, 1]);
  vi.useRealTimers();
});

afterEach(cleanUp);

const FIRST = { run: "r1", step: "t1/model", attempt: 1, start: 0, text: "One " };

test("words are joined where they belong", () => {
  const one = joined(null, FIRST);
  const two = joined(one, { ...FIRST, start: 4, text: "two" });
  expect(two?.text).toBe("One two");
  // The same words twice are the same words.
  expect(joined(two, { ...FIRST, start: 4, text: "two" })?.text).toBe("One two");
});

test("missing words are noticed", () => {
  expect(joined(null, { ...FIRST, start: 3 })).toBeNull();
  expect(joined({ step: "t1/model", attempt: 1, text: "One" }, { ...FIRST, start: 9 })).toBeNull();
});

test("another attempt and another step start over", () => {
  const before = joined(null, FIRST);
  expect(joined(before, { ...FIRST, attempt: 2, text: "Again" })?.text).toBe("Again");
  expect(joined(before, { ...FIRST, step: "t2/model", text: "Next" })?.text).toBe("Next");
});

test("what the server says replaces what was heard, unless more was heard of the same words", () => {
  const { takeDelta, takeTranscript } = useLive.getState();
  expect(takeDelta({ ...FIRST, text: "One two three" })).toBe(true);
  const writing = { step: "t1/model", attempt: 1, text: "One two" };
  takeTranscript(transcript({ state: "running", writing }));
  expect(useLive.getState().writings.r1?.text).toBe("One two three");
  takeTranscript(transcript({ state: "running", writing: { ...writing, step: "t2/model" } }));
  expect(useLive.getState().writings.r1?.text).toBe("One two");
  takeTranscript(transcript({ state: "waiting", writing: null }));
  expect(useLive.getState().writings.r1).toBeUndefined();
});

test("a tool is shown while it runs", () => {
  const { takeStep, takeTranscript } = useLive.getState();
  const step = { run: "r1", step: "t1/tool/1", name: "read_file" };
  takeStep({ ...step, state: "started" });
  expect(useLive.getState().tools.r1).toBe("read_file");
  takeStep({ ...step, state: "ended" });
  expect(useLive.getState().tools.r1).toBeUndefined();
  takeStep({ ...step, state: "started" });
  takeTranscript(transcript({ state: "ended" }));
  expect(useLive.getState().tools.r1).toBeUndefined();
});
