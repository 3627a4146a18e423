import { expect, test, vi } from "vitest";

import { FakeServer } from "../../testing/fake-server";
import { keep, nameIn } from "../../wire/download";
import { createPlanApi, exportAddress } from "./api";

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
