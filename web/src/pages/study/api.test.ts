import { expect, test } from "vitest";

import { FakeServer } from "../../testing/fake-server";
import { audioAddress, createStudyApi, uploadAddress } from "./api";

function api(server: FakeServer): ReturnType<typeof createStudyApi> {
  return createStudyApi({ fetch: server.fetch, csrf: () => "token" });
}

test("courses and files reach the server by their names as they are", async () => {
  const server = new FakeServer()
    .answer("GET /api/study/courses/c%2B%2B", {})
    .answer("GET /api/study/session?course=c%2B%2B", {})
    .answer("GET /api/study/session/file?course=c&path=a+b%2Fc.md", {})
    .answer("PUT /api/study/session/file?course=c&path=a+b%2Fc.md", {});
  const study = api(server);
  await study.course("c++");
  await study.session("c++");
  await study.readFile("c", "a b/c.md");
  await study.writeFile("c", "a b/c.md", { text: "x", version: "v1" });
  expect(server.asked.at(-1)?.body).toEqual({ text: "x", version: "v1" });
  expect(audioAddress("c", "1.2")).toBe("/api/study/session/audio?course=c&question=1.2");
  expect(uploadAddress("c", "x/y.png")).toBe("/api/study/session/upload?course=c&path=x%2Fy.png");
});

test("an answer carries the CSRF value and waits for the verdict", async () => {
  const server = new FakeServer().answer("POST /api/study/session/act", { step: 4 });
  expect(await api(server).act({ course: "c", step: 3, act: "answer", text: "x" })).toEqual({ step: 4 });
  expect(server.asked[0]?.headers.get("X-Paige-CSRF")).toBe("token");
  expect(server.asked[0]?.body).toMatchObject({ step: 3, text: "x" });
});

test("a photo goes as it is, with its own type", async () => {
  const server = new FakeServer().answer("POST /api/study/session/upload?course=c&step=2&name=a.png", {});
  await api(server).upload({ course: "c", step: 2, name: "a.png", file: new Blob(["x"], { type: "image/png" }) });
  expect(server.asked[0]?.headers.get("Content-Type")).toBe("image/png");
});

test("running code is stopped with the CSRF value, for oneself", async () => {
  const server = new FakeServer().answer("POST /api/study/session/run/stop", { stopped: 1 });
  expect(await api(server).stopRun()).toEqual({ stopped: 1 });
  expect(server.asked[0]?.headers.get("X-Paige-CSRF")).toBe("token");
});

test("what goes wrong keeps its words", async () => {
  const question = "POST /api/study/session/run";
  await expect(api(new FakeServer().fail(question, 503, "No sandbox", "Install one.")).run("c")).rejects.toMatchObject({
    message: "No sandbox",
    hint: "Install one.",
    status: 503,
  });
  await expect(api(new FakeServer().lose(question)).run("c")).rejects.toMatchObject({ status: null });
  await expect(api(new FakeServer().answer(question, "<html>", 502)).run("c")).rejects.toMatchObject({ status: 502 });
});
