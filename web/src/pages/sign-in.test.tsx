import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../strings";
import type { FakeServer } from "../testing/fake-server";
import { goodServer, renderApp } from "../testing/render-app";
import { SETUP } from "../testing/samples";
import type { Session } from "../wire/generated";
import { SIGNED_OUT } from "../wire/session-cache";
import { studyStrings } from "./study/strings";

const SIGNED_IN: Session = { required: true, signedIn: true, csrf: "fresh", demo: false };

function lockedServer(): FakeServer {
  return goodServer().answer("GET /api/session", SIGNED_OUT).fail("GET /api/setup", 401, "Sign in first");
}

function openServer(): FakeServer {
  return goodServer().answer("GET /api/session", SIGNED_IN);
}

test("a server with a passcode shows the sign-in page and nothing else", async () => {
  const { world, server } = renderApp("/study", lockedServer());
  expect(await screen.findByLabelText(strings.signIn.passcode)).toBe(document.activeElement);
  expect(screen.queryByRole("navigation")).toBeNull();
  expect(document.title).toBe("Sign in · Paige");
  expect(world.sockets).toHaveLength(0);
  expect(server.asked.map(({ path }) => path)).toEqual(["/api/session"]);
});

test("a server that hides even the session behind the passcode shows it too", async () => {
  renderApp("/", lockedServer().fail("GET /api/session", 401, "Sign in first"));
  expect(await screen.findByLabelText(strings.signIn.passcode)).toBeTruthy();
});

test("the right passcode opens the page that was asked for", async () => {
  const { user, server, world } = renderApp("/study", lockedServer());
  await screen.findByLabelText(strings.signIn.passcode);
  server.answer("POST /api/session", SIGNED_IN).answer("GET /api/setup", SETUP);
  await user.type(screen.getByLabelText(strings.signIn.passcode), "letmein{Enter}");
  expect(await screen.findByRole("heading", { level: 1, name: studyStrings.titles.today })).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({ passcode: "letmein" });
  expect(world.sockets).toHaveLength(1);
  expect(document.activeElement).toBe(screen.getByRole("heading", { level: 1 }));
});

test("a wrong passcode is explained at the field", async () => {
  const server = lockedServer().fail("POST /api/session", 401, "That is not the passcode", "Ask who runs Paige.");
  const { user } = renderApp("/", server);
  const field = await screen.findByLabelText(strings.signIn.passcode);
  await user.type(field, "guess{Enter}");
  expect((await screen.findByRole("alert")).textContent).toBe("That is not the passcodeAsk who runs Paige.");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(field.getAttribute("aria-describedby")).toBe(screen.getByRole("alert").id);
});

test("too many tries say how long to wait", async () => {
  const server = lockedServer().fail("POST /api/session", 429, "Too many tries", "Wait a minute.");
  const { user } = renderApp("/", server);
  await user.type(await screen.findByLabelText(strings.signIn.passcode), "guess{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Wait a minute.");
});

test("signing out sends the CSRF value and asks for the passcode again", async () => {
  const server = openServer().answer("DELETE /api/session", SIGNED_OUT);
  const { user, world } = renderApp("/", server);
  await user.click(await screen.findByRole("button", { name: strings.signIn.signOut }));
  expect(await screen.findByLabelText(strings.signIn.passcode)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "DELETE")?.headers.get("X-Paige-CSRF")).toBe("fresh");
  expect(world.socket.closed).toBe(true);
});

test("signing out that fails says so and stays", async () => {
  const { user } = renderApp("/", openServer().fail("DELETE /api/session", 503, "Busy", "Try later."));
  await user.click(await screen.findByRole("button", { name: strings.signIn.signOut }));
  expect(await screen.findByText(strings.notices.signOutFailed)).toBeTruthy();
  expect(screen.getByText("Try later.")).toBeTruthy();
});

test("a session that ends is noticed by the next question", async () => {
  const { services, server } = renderApp("/", openServer());
  await screen.findByText(SETUP.version);
  server.fail("GET /api/setup", 401, "Sign in first");
  await act(() => services.queries.invalidateQueries({ queryKey: ["setup"] }));
  expect(await screen.findByLabelText(strings.signIn.passcode)).toBeTruthy();
});

test("a connection closed for want of a passcode shows the sign-in page and forgets what was read", async () => {
  const { world, services } = renderApp("/", openServer());
  await screen.findByText(SETUP.version);
  act(() => {
    world.accept();
    world.socket.listener.closed(4401);
  });
  expect(await screen.findByLabelText(strings.signIn.passcode)).toBeTruthy();
  await waitFor(() => {
    expect(services.queries.getQueryData(["setup"])).toBeUndefined();
  });
});
