import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import type { Services } from "../../../services";
import { renderApp } from "../../../testing/render-app";
import { coachStrings } from "../strings";
import { cleanUp, coachingServer, DASHBOARD, OVERVIEW, sent, TREE } from "../testing/samples";
import { find, glowing, isStale, markOf, readDisk, rowsOf, updated, useDrafts, useFiles } from "./files";
import { showsFiles, showsLines } from "./hints";
import { useCoachSession } from "./session";

afterEach(cleanUp);

test("the dashboard shows what comes, and what does not come says why", async () => {
  const { world, user } = renderApp("/coach", coachingServer());
  await screen.findByText("Be coached.");
  world.accept();
  await waitFor(() => {
    expect(sent(world, "dashboard:request")).toEqual([{ statsPeriod: "all" }]);
  });
  world.socket.receive("dashboard:state", DASHBOARD);
  world.socket.receive("dashboard:issues_error", { error: "No issues here" });
  expect(await screen.findByText("Add them up")).toBeTruthy();
  expect(screen.getByRole("alert").textContent).toContain("No issues here");
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(sent(world, "dashboard:refresh_issues")).toHaveLength(1);
});

test("a session that is open is gone on with, once, and stays muted", async () => {
  const session = {
    id: "s1",
    projectDir: "/home/ada/shop",
    issueNumber: 12,
    issueTitle: "The total",
    status: "active" as const,
    startedAt: "2026-03-02T12:00:00Z",
    endedAt: null,
  };
  const { world } = renderApp("/coach/work", coachingServer({ ...OVERVIEW, session, observer: { active: true, muted: true } }));
  await screen.findByText(coachStrings.files.loading);
  world.accept();
  await waitFor(() => {
    expect(sent(world, "session:resume")).toEqual([{ sessionId: "s1" }]);
  });
  expect(sent(world, "observer:mute")).toEqual([{ muted: true }]);
  expect(screen.getByRole("heading", { name: "#12 The total" })).toBeTruthy();
});

test("a window without a session takes in the tree, messages and the end of what it starts", async () => {
  const { world, user } = renderApp("/coach/work", coachingServer());
  await screen.findByText(coachStrings.files.loading);
  world.accept();
  await waitFor(() => {
    expect(sent(world, "fs:request_tree")).toHaveLength(1);
  });
  world.socket.receive("fs:tree", { root: TREE });
  expect(await screen.findByRole("treeitem", { name: "src" })).toBeTruthy();
  await user.type(screen.getByLabelText(coachStrings.session.issueTitle), "The total");
  await user.click(screen.getByRole("button", { name: coachStrings.session.start }));
  expect(sent(world, "session:start")).toEqual([{ issueNumber: null, issueTitle: "The total" }]);
  world.socket.receive("session:started", { sessionId: "s2", issueContext: null, phases: [], hintLevel: "none", openFiles: [] });
  world.socket.receive("coaching:message", { message: "Hello", type: "info" });
  expect(await screen.findByText("Hello")).toBeTruthy();
  expect(sent(world, "session:resume")).toEqual([]);
  const summary = { sessionId: "s2", status: "completed", issueNumber: null, issueTitle: null, durationMs: 60_000, phasesCompleted: 0, phasesTotal: 0 };
  world.socket.receive("session:ended", { summary });
  world.socket.receive("session:completed", { sessionId: "s2", knowledgeGaps: 1, kataSpecs: 0, dreyfusUpdates: 0, memoriesStored: 0 });
  expect(useCoachSession.getState()).toMatchObject({ id: null, said: [], ended: { learnt: { knowledgeGaps: 1 } } });
});

test("a file that was refused says why, and only where it was asked for", async () => {
  const { world, user } = renderApp("/coach/work", coachingServer());
  await screen.findByText(coachStrings.files.loading);
  world.accept();
  await waitFor(() => {
    expect(sent(world, "fs:request_tree")).toHaveLength(1);
  });
  world.socket.receive("fs:tree", { root: TREE });
  await user.click(await screen.findByRole("treeitem", { name: "README.md" }));
  const payload = { code: "REFUSED", message: "It is a link", context: { hint: "Open another" } };
  world.socket.listener.message(
    JSON.stringify({ type: "connection:error", payload, seq: 0, durable: false, timestamp: 0, id: "open README.md" }),
  );
  expect((await screen.findByRole("alert")).textContent).toContain("It is a link");
  expect(screen.getAllByText("It is a link")).toHaveLength(1);
});

test("what is typed after a save goes on from the saved text", () => {
  const { keep, saved } = useDrafts.getState();
  keep("a.py", { text: "two", base: markOf("one") });
  saved("a.py", "two", markOf("two"));
  expect(useDrafts.getState().drafts["a.py"]).toBeUndefined();
  keep("a.py", { text: "three", base: markOf("one") });
  saved("a.py", "two", markOf("two"));
  const draft = useDrafts.getState().drafts["a.py"];
  expect(draft?.text).toBe("three");
  expect(draft && isStale("two", draft)).toBe(false);
  expect(draft && isStale("one", draft)).toBe(true);
});

test("a closed tab makes room for its neighbour", () => {
  const content = (path: string): Parameters<ReturnType<typeof useFiles.getState>["takeContent"]>[0] => ({ path, content: "", language: "python", lineCount: 1 });
  for (const path of ["a", "b", "c"]) useFiles.getState().takeContent(content(path), true);
  useFiles.getState().close("c");
  expect(useFiles.getState().current).toBe("b");
  useFiles.getState().close("a");
  expect(useFiles.getState()).toMatchObject({ current: "b", tabs: ["b"] });
});

test("until somebody chooses, everything that Paige shows is shown", () => {
  expect(showsLines({ level: "none", isChosen: false })).toBe(true);
  expect(showsLines({ level: "file", isChosen: true })).toBe(false);
  expect(showsFiles({ level: "file", isChosen: true })).toBe(true);
  expect(showsFiles({ level: "none", isChosen: true })).toBe(false);
});

const PATH = "shop.py";

/** A server that answers a read when the test says so, with what it says. */
function slowServer(): { services: Pick<Services, "api">; answers: ((content: string) => void)[] } {
  const answers: ((content: string) => void)[] = [];
  const file = (): Promise<unknown> =>
    new Promise((resolve) => {
      answers.push((content) => {
        resolve({ path: PATH, content, language: "python", binary: false });
      });
    });
  // Nothing else of the server is asked here.
  return { services: { api: { coach: { file } } } as unknown as Pick<Services, "api">, answers };
}

function open(content: string): void {
  useFiles.getState().takeContent({ path: PATH, content, language: "python", lineCount: 1 }, true);
}

test("what the disk holds now is taken over", async () => {
  const { services, answers } = slowServer();
  open("old");
  const read = readDisk(services, PATH);
  answers[0]?.("theirs");
  await read;
  expect(useFiles.getState().files[PATH]?.saved).toBe("theirs");
});

test("an answer that is older than a save does not bring the old text back", async () => {
  const { services, answers } = slowServer();
  open("old");
  const read = readDisk(services, PATH);
  useFiles.getState().changeFile(PATH, { saving: "new" });
  useFiles.getState().changeFile(PATH, { saved: "new", saving: null });
  answers[0]?.("old");
  await expect.poll(() => answers.length).toBe(2);
  expect(useFiles.getState().files[PATH]?.saved).toBe("new");
  answers[1]?.("new");
  await read;
  expect(useFiles.getState().files[PATH]?.saved).toBe("new");
});

test("a file that was closed meanwhile stays closed", async () => {
  const { services, answers } = slowServer();
  open("old");
  const read = readDisk(services, PATH);
  useFiles.getState().close(PATH);
  answers[0]?.("old");
  await read;
  expect(useFiles.getState().files[PATH]).toBeUndefined();
});

test("only folders that are open show what they hold", () => {
  const names = (open: string[]): string[] => rowsOf(TREE, new Set(open), new Map()).map(({ name }) => name);
  expect(names([])).toEqual(["src", "README.md"]);
  expect(names(["src"])).toEqual(["src", "cart.py", "prices.py", "README.md"]);
});

test("a row knows its level and its place among its siblings", () => {
  const row = rowsOf(TREE, new Set(["src"]), new Map([["src/prices.py", "critical"]]))[2];
  expect(row).toMatchObject({ level: 2, place: 2, siblings: 2, isFolder: false, hint: "critical" });
});

test("a new file stands in its place, in folders that are made for it", () => {
  const grown = updated(TREE, { action: "add", path: "docs/a/b.md" });
  expect(rowsOf(grown, new Set(["docs", "docs/a"]), new Map()).map(({ path }) => path)).toEqual([
    "docs",
    "docs/a",
    "docs/a/b.md",
    "src",
    "README.md",
  ]);
  expect(updated(grown, { action: "add", path: "docs/a/b.md" })).toBe(grown);
});

test("what goes is gone, and what is renamed keeps what it holds", () => {
  expect(find(updated(TREE, { action: "unlink", path: "src/cart.py" }), "src/cart.py")).toBeNull();
  expect(updated(TREE, { action: "unlinkDir", path: "src" }).children).toHaveLength(1);
  const renamed = updated(TREE, { action: "rename", path: "src", newPath: "lib" });
  expect(find(renamed, "lib/cart.py")?.name).toBe("cart.py");
  expect(find(renamed, "src")).toBeNull();
  expect(updated(TREE, { action: "change", path: "src/cart.py" })).toBe(TREE);
});

test("folders above a hint glow when it says so, with the strongest style", () => {
  const glow = glowing([
    { path: "src/a/x.py", style: "suggested", directories: true },
    { path: "src/y.py", style: "critical", directories: ["src"] },
    { path: "lib/z.py", style: "important" },
  ]);
  expect(Object.fromEntries(glow)).toEqual({
    "src/a/x.py": "suggested",
    "src/a": "suggested",
    src: "critical",
    "src/y.py": "critical",
    "lib/z.py": "important",
  });
});
