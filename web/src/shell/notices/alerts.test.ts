import { afterEach, expect, test, vi } from "vitest";

import { alertPerson, allowed, switchOn, useAlerts } from "./alerts";

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
