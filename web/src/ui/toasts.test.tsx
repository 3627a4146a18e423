import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { strings } from "../strings";
import { ApiError } from "../wire/errors";
import { uiStrings } from "./strings";
import { Toaster } from "./toaster";
import { notify, notifyError, offer, undoable, useToasts } from "./toasts";

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
