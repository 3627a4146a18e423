import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";

import { NOTICES, QUESTION, REVIEWS } from "../../pages/search/testing/samples";
import { strings } from "../../strings";
import { goodServer, renderApp } from "../../testing/render-app";
import { SETUP } from "../../testing/samples";
import { alertPerson, allowed, switchOn, useAlerts } from "./alerts";
import { hear, NOTHING_TOLD } from "./bell";
import { noticeStrings as text } from "./strings";

const ASK = "GET /api/notices";

function waitingServer(): ReturnType<typeof goodServer> {
  return goodServer().answer(ASK, NOTICES);
}

test("the bell says how much waits, the tab too, and it is announced once", async () => {
  renderApp("/", waitingServer());
  expect(await screen.findByRole("button", { name: text.button(2) })).toBeTruthy();
  expect(document.title).toBe("(2) Home · Paige");
  expect(screen.getByText(text.atFirst(2)).getAttribute("role")).toBe("status");
});

test("where nothing waits the bell is quiet, and its list teaches what will be there", async () => {
  const { user } = renderApp("/", goodServer().answer(ASK, { notices: [], problems: [] }));
  await screen.findByText(SETUP.version);
  expect(document.title).toBe("Home · Paige");
  await user.click(screen.getByRole("button", { name: text.button(0) }));
  expect(await screen.findByText(text.empty)).toBeTruthy();
});

test("a notice leads to its page and is seen then, also after a reload", async () => {
  const { user } = renderApp("/", waitingServer());
  await user.click(await screen.findByRole("button", { name: text.button(2) }));
  const panel = await screen.findByRole("dialog", { name: text.title });
  await user.click(within(panel).getByRole("link", { name: /Malay/ }));
  expect(window.location.pathname).toBe("/study/malay");
  expect(await screen.findByRole("button", { name: text.button(1) })).toBeTruthy();
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(localStorage.getItem("paige-seen-notices")).toContain(REVIEWS.id);
});

test("all can be marked as seen; they stay in the list", async () => {
  const { user } = renderApp("/", waitingServer());
  await user.click(await screen.findByRole("button", { name: text.button(2) }));
  await user.click(await screen.findByRole("button", { name: text.markAll }));
  expect(screen.getByRole("button", { name: text.button(0), hidden: true })).toBeTruthy();
  expect(screen.getAllByRole("link", { name: /Loops for 3B|Malay/ })).toHaveLength(2);
  expect(document.title).toBe("Home · Paige");
});

test("Escape closes the list and gives the focus back to the bell", async () => {
  const { user } = renderApp("/", waitingServer());
  const bell = await screen.findByRole("button", { name: text.button(2) });
  await user.click(bell);
  await screen.findByRole("dialog", { name: text.title });
  await user.keyboard("{Escape}");
  await waitFor(() => {
    expect(document.activeElement).toBe(bell);
  });
});

test("what happens elsewhere is asked for again, soon and once", async () => {
  const { world, server } = renderApp("/", goodServer().answer(ASK, { notices: [], problems: [] }));
  await screen.findByText(SETUP.version);
  act(() => {
    world.accept();
  });
  server.answer(ASK, { notices: [QUESTION], problems: [] });
  const before = server.asked.filter(({ path }) => path === "/api/notices").length;
  act(() => {
    const changed = { session: "s1", run: "r1", state: "waiting", status: null, reason: null };
    world.socket.receive("plan:run", changed, { seq: 1, durable: true });
    world.socket.receive("plan:run", changed, { seq: 2, durable: true });
    world.advance(300);
  });
  expect(await screen.findByText(text.fresh("Loops for 3B", "Waits for your answer. Is the draft right?"))).toBeTruthy();
  expect(server.asked.filter(({ path }) => path === "/api/notices")).toHaveLength(before + 1);
});

test("a door that could not be looked behind is named", async () => {
  const problem = { source: "guards", message: "The file is broken", hint: "Look at `guards`." };
  const { user } = renderApp("/", goodServer().answer(ASK, { notices: [REVIEWS], problems: [problem] }));
  await user.click(await screen.findByRole("button", { name: text.button(1) }));
  expect((await screen.findByText(/The file is broken/)).textContent).toContain("Guards");
});

test("a server that cannot say what waits disturbs nobody", async () => {
  const { user } = renderApp("/", goodServer().fail(ASK, 503, "The database is locked"));
  await screen.findByText(SETUP.version);
  await user.click(screen.getByRole("button", { name: text.button(0) }));
  expect((await screen.findByRole("alert")).textContent).toContain("The database is locked");
  expect(screen.getByRole("button", { name: strings.errors.retry })).toBeTruthy();
});

test("only what is new is told, and the first look tells how much there is", () => {
  const first = hear(NOTHING_TOLD, [QUESTION]);
  expect([first.said, first.fresh]).toEqual([text.atFirst(1), []]);
  expect(hear(first, [QUESTION])).toBe(first);
  const second = hear(first, [QUESTION, REVIEWS]);
  expect([second.said, second.fresh]).toEqual([text.fresh("Malay", "12 reviews are due"), [REVIEWS]]);
  expect(hear(second, [])).toBe(second);
});

const shown: { title: string; body: string; tag: string; onclick: (() => void) | null }[] = [];

class FakeNotification {
  static permission = "default";
  static answer = "granted";
  static requestPermission = (): Promise<string> => {
    FakeNotification.permission = FakeNotification.answer;
    return Promise.resolve(FakeNotification.permission);
  };
  onclick: (() => void) | null = null;
  readonly body: string;
  readonly tag: string;

  constructor(
    readonly title: string,
    { body, tag }: { body: string; tag: string },
  ) {
    this.body = body;
    this.tag = tag;
    shown.push(this);
  }

  close(): void {
    // The browser would take it away.
  }
}

function set(permission: string, isHidden: boolean): void {
  FakeNotification.permission = permission;
  vi.stubGlobal("Notification", FakeNotification);
  vi.spyOn(document, "hidden", "get").mockReturnValue(isHidden);
}

const ALERT = { id: "n1", title: "Loops", body: "Waits", open: vi.fn() };

afterEach(() => {
  shown.length = 0;
  FakeNotification.answer = "granted";
  vi.unstubAllGlobals();
});

test("nobody is told who did not switch it on", () => {
  set("granted", true);
  alertPerson(ALERT);
  expect(shown).toEqual([]);
});

test("who switched it on is told while the tab is hidden, and a click leads there", async () => {
  set("default", true);
  expect(await switchOn()).toBe("yes");
  alertPerson(ALERT);
  expect(shown.map(({ title, body, tag }) => [title, body, tag])).toEqual([["Loops", "Waits", "n1"]]);
  shown[0]?.onclick?.();
  expect(ALERT.open).toHaveBeenCalledOnce();
});

test("who looks at the tab sees the bell instead", async () => {
  set("granted", false);
  await switchOn();
  alertPerson(ALERT);
  expect(shown).toEqual([]);
});

test("a browser that says no stays off", async () => {
  set("default", true);
  FakeNotification.answer = "denied";
  expect(await switchOn()).toBe("no");
  expect(useAlerts.getState().isOn).toBe(false);
});

test("a browser without notifications says so", () => {
  vi.stubGlobal("Notification", undefined);
  expect(allowed()).toBe("missing");
});
