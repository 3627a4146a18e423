import { act, render, renderHook, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { Activity } from "lucide-react";
import type { ReactNode } from "react";
import { afterEach, expect, test, vi } from "vitest";

import { strings } from "../strings";
import { SETUP } from "../testing/samples";
import { ApiError } from "../wire/http";
import { changed, isFiltered, oneOf, useAddressParts } from "./address-bar";
import { DoorFrame } from "./door-frame";
import { CrashGuard } from "./error-panel";
import { renderReport } from "./setup";
import { uiStrings } from "./strings";
import { notify, notifyError, offer, Toaster, undoable, useToasts } from "./toasts";

function titles(): string[] {
  return useToasts.getState().toasts.map(({ title }) => title);
}

test("an error says what happened and what to do, and is announced at once", async () => {
  render(<Toaster />);
  act(() => {
    notifyError("It did not work", new ApiError("The disk is full", "Delete something.", 503));
  });
  expect(screen.getByText("The disk is full")).toBeTruthy();
  expect(screen.getByText("Delete something.")).toBeTruthy();
  const spoken = await screen.findByRole("status");
  expect(spoken.getAttribute("aria-live")).toBe("assertive");
  await waitFor(() => {
    expect(spoken.textContent).toBe("Notice It did not work. The disk is full. Delete something.");
  });
});

test("good news waits for a pause", async () => {
  render(<Toaster />);
  act(() => {
    notify("Copied");
  });
  expect((await screen.findByRole("status")).getAttribute("aria-live")).toBe("polite");
});

test("a notice can be dismissed", async () => {
  render(<Toaster />);
  act(() => {
    notify("Copied");
  });
  await userEvent.click(screen.getByRole("button", { name: strings.notices.dismiss }));
  expect(titles()).toEqual([]);
});

test("the same notice is shown once, and the newest three stay", () => {
  for (const title of ["one", "two", "two", "three", "four"]) notify(title);
  expect(titles()).toEqual(["two", "three", "four"]);
});

test("an error without words of its own keeps the title", () => {
  notifyError("It did not work", "a thrown string");
  expect(useToasts.getState().toasts[0]).toMatchObject({ title: "It did not work", message: null, hint: null });
});

test("what was done can be taken back, and it says so", async () => {
  render(<Toaster />);
  let isThere = false;
  act(() => {
    undoable("notes.md is deleted", () => {
      isThere = true;
      return Promise.resolve();
    });
  });
  await userEvent.click(screen.getByRole("button", { name: uiStrings.undo }));
  expect(isThere).toBe(true);
  await waitFor(() => {
    expect(titles()).toEqual([uiStrings.undone("notes.md is deleted")]);
  });
});

test("what cannot be taken back says why", async () => {
  render(<Toaster />);
  act(() => {
    undoable("notes.md is deleted", () => Promise.reject(new ApiError("The disk is full", "Delete something.", 503)));
  });
  await userEvent.click(screen.getByRole("button", { name: uiStrings.undo }));
  expect(await screen.findByText(uiStrings.undoFailed)).toBeTruthy();
  expect(screen.getByText("The disk is full")).toBeTruthy();
});

test("an offer waits until it is taken", async () => {
  render(<Toaster />);
  let taken = 0;
  act(() => {
    offer("There is a new version", { name: "Reload", how: "Reload the page", run: () => (taken += 1) });
  });
  await userEvent.click(screen.getByRole("button", { name: "Reload" }));
  expect(taken).toBe(1);
  expect(titles()).toEqual([]);
});

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

test("a page that breaks is explained and can be tried again", async () => {
  const quiet = vi.spyOn(console, "error").mockReturnValue();
  let broken = true;
  function Page(): ReactNode {
    if (broken) throw new Error("no such field");
    return <p>fine</p>;
  }
  render(
    <CrashGuard>
      <Page />
    </CrashGuard>,
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(strings.errors.crashed);
  broken = false;
  await userEvent.click(screen.getByRole("button", { name: strings.errors.retry }));
  expect(screen.getByText("fine")).toBeTruthy();
  quiet.mockClear();
});

const WAYS = { label: "Pages", ways: [{ name: "Runs", href: "/traces" }, { name: "Costs", href: "/costs" }], here: "/costs" };

test("a page of a door is named in the tab and read out behind the heading", () => {
  render(
    <DoorFrame door="desk" icon={Activity} heading="Traces" page="Costs" ways={WAYS}>
      <p>Content</p>
    </DoorFrame>,
  );
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Traces: Costs");
  expect(document.title).toBe("Costs · Paige");
  const ways = within(screen.getByRole("navigation", { name: "Pages" }));
  expect(ways.getByRole("link", { current: "page" }).textContent).toBe("Costs");
  expect(screen.getByText("Content").closest("[data-door]")?.getAttribute("data-door")).toBe("desk");
});

test("the heading takes the focus that a link gives it", () => {
  render(<DoorFrame door="guard" icon={Activity} heading="Guard" lead="For everybody" />);
  const heading = screen.getByRole("heading", { level: 1, name: "Guard" });
  heading.focus();
  expect(document.activeElement).toBe(heading);
  expect(screen.getByText("For everybody")).toBeTruthy();
});

test("the report holds every fact, every check and every fix", () => {
  expect(renderReport(SETUP)).toMatchInlineSnapshot(`
    "Paige 1.2.3
    Provider: scripted (Ready) Answers come from a script
    Database: SQLite, paige.db, Schema 0001
    Project: None chosen
    Data folder: paige-data
    Passcode: Not asked for

    Checks:
    - [OK] Database: Opens
    - [Worth a look] Provider: No key
      What to do: Set \`PAIGE_KEY\`.
    - [Broken] Project: Not a repository
      What to do: Run \`git init\`.
    "
  `);
});
