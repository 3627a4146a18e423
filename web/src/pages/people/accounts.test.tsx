import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../../strings";
import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import type { AboutMe, AccountPerson, AccountSession, MySignIn } from "../../wire/generated";
import { detailWords } from "./audit-page";
import { withRole } from "./people-page";
import { accountStrings } from "./strings";
import { accountsRoute } from "./strings-route";

const AT = "2026-03-02T12:00:00Z";
const ADA: AccountPerson = {
  id: "ada",
  name: "Ada L",
  email: "ada@school.org",
  roles: ["teacher"],
  state: "active",
  hasPassword: true,
  provider: null,
  createdAt: AT,
};
const NOBODY: AccountSession = {
  required: true,
  signedIn: false,
  csrf: null,
  accounts: true,
  person: null,
  tenant: "",
  rights: [],
  provider: null,
};
const TEACHER: AccountSession = { ...NOBODY, signedIn: true, csrf: "fresh", person: ADA, tenant: "local", rights: ["plan", "study"] };
const ADMIN: AccountSession = { ...TEACHER, rights: ["people", "audit"] };
const ME: AboutMe = {
  accounts: true,
  tenant: "local",
  person: ADA,
  rights: ["plan"],
  spend: [{ whose: "everyone", period: "month", spentUsd: 1.5, limitUsd: 20, until: AT }],
};
const HERE: MySignIn = { id: "1", kind: "browser", label: "Firefox", createdAt: AT, expiresAt: AT, lastUsedAt: AT, this: true };
const TOKEN: MySignIn = { ...HERE, id: "2", kind: "token", label: "laptop", this: false };

function serverOf(session: AccountSession): FakeServer {
  return goodServer().answer("GET /api/session", session);
}

function youServer(): FakeServer {
  return serverOf(TEACHER).answer("GET /api/me", ME).answer("GET /api/me/sign-ins", { signIns: [HERE, TOKEN] });
}

function peopleServer(): FakeServer {
  return serverOf(ADMIN).answer("GET /api/people", { people: [ADA], next: null }).answer("GET /api/limits", { limits: [] });
}

test("where people have accounts, a name and a password are asked for", async () => {
  const { user, server, world } = renderApp("/", serverOf(NOBODY));
  const name = await screen.findByLabelText(accountsRoute.signIn.name);
  expect(name).toBe(document.activeElement);
  expect(screen.queryByLabelText(strings.signIn.passcode)).toBeNull();
  expect(screen.queryByRole("link", { name: /Sign in with/ })).toBeNull();
  server.fail("POST /api/session", 401, "The name or the password is wrong", "Ask an admin.");
  await user.type(name, "ada");
  await user.type(screen.getByLabelText(accountsRoute.signIn.password), "guess{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("The name or the password is wrong");
  server.answer("POST /api/session", TEACHER);
  await user.type(screen.getByLabelText(accountsRoute.signIn.password), "right{Enter}");
  expect(await screen.findByRole("link", { name: ADA.name })).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({ name: "ada", password: "guess" });
  expect(world.sockets).toHaveLength(1);
});

test("a provider of identities is a way in, and what went wrong there is told in our words", async () => {
  renderApp("/?problem=refused&tenant=north", serverOf({ ...NOBODY, provider: "id.school.org" }));
  const link = await screen.findByRole("link", { name: accountsRoute.signIn.provider("id.school.org") });
  expect(link.getAttribute("href")).toBe("/api/session/oidc?back=%2F&tenant=north");
  expect(screen.getByRole("alert").textContent).toContain(accountsRoute.signIn.problems.refused);
});

test("words in the address are never shown", async () => {
  renderApp("/?problem=Call+this+number", serverOf(NOBODY));
  expect((await screen.findByRole("alert")).textContent).toContain(accountsRoute.signIn.problems.failed);
  expect(screen.queryByText(/Call this number/)).toBeNull();
});

test("somebody who is signed out elsewhere gets the same page again", async () => {
  const { server, services } = renderApp("/", serverOf(TEACHER));
  await screen.findByRole("link", { name: ADA.name });
  server.fail("GET /api/setup", 401, "You are not signed in");
  await services.queries.invalidateQueries({ queryKey: ["setup"] });
  expect(await screen.findByLabelText(accountsRoute.signIn.name)).toBeTruthy();
});

test("only the doors that one may enter are shown", async () => {
  renderApp("/", serverOf(TEACHER));
  await screen.findByRole("link", { name: ADA.name });
  const board = within(screen.getAllByRole("navigation")[0] ?? document.body);
  expect(board.getByRole("link", { name: strings.doors.plan })).toBeTruthy();
  expect(board.queryByRole("link", { name: strings.doors.guard })).toBeNull();
  expect(board.queryByRole("link", { name: strings.settings })).toBeNull();
});

test("the own page shows who one is, what was spent, and where one is signed in", async () => {
  const { user, server } = renderApp("/you", youServer());
  expect(await screen.findByText("$1.50 of $20.00 this month, everyone together")).toBeTruthy();
  expect(await screen.findByText(accountStrings.signIns.here)).toBeTruthy();
  expect(screen.queryByRole("link", { name: accountsRoute.pages.people })).toBeNull();
  server.answer("DELETE /api/me/sign-ins/2", { signIns: [HERE] }).answer("GET /api/me/sign-ins", { signIns: [HERE] });
  await user.click(screen.getByRole("button", { name: accountStrings.signIns.revokeLabel("laptop") }));
  expect(await screen.findByText(accountStrings.signIns.done)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "DELETE")?.headers.get("X-Paige-CSRF")).toBe("fresh");
});

test("a token is shown once, and a password is changed", async () => {
  const server = youServer()
    .answer("POST /api/me/tokens", { secret: "paige_local.secret", signIn: TOKEN })
    .answer("PUT /api/me/password", ME);
  const { user } = renderApp("/you", server);
  await user.type(await screen.findByLabelText(accountStrings.tokens.label), "laptop");
  await user.click(screen.getByRole("button", { name: accountStrings.tokens.make }));
  expect(await screen.findByText("paige_local.secret")).toBeTruthy();
  expect(server.asked.find(({ path }) => path === "/api/me/tokens")?.body).toEqual({ label: "laptop", days: 365 });
  await user.type(screen.getByLabelText(accountStrings.password.current), "old one");
  await user.type(screen.getByLabelText(accountStrings.password.fresh), "new one{Enter}");
  expect(await screen.findByText(accountStrings.password.done)).toBeTruthy();
});

test("an admin adds a person and is shown the password", async () => {
  const server = peopleServer().answer("POST /api/people", { person: { ...ADA, id: "bob" }, password: "aaaa-bbbb" });
  const { user } = renderApp("/you/people", server);
  await user.type(await screen.findByLabelText(accountStrings.add.id), "bob");
  expect(screen.getByText(accountStrings.shellNote)).toBeTruthy();
  expect(screen.getByRole("checkbox", { name: /^Developer: .* shell on the server/ })).toBeTruthy();
  await user.click(screen.getByRole("checkbox", { name: /^Teacher: plans/ }));
  await user.click(screen.getByRole("button", { name: accountStrings.add.add }));
  expect(await screen.findByText("aaaa-bbbb")).toBeTruthy();
  const asked = server.asked.find(({ method }) => method === "POST")?.body;
  expect(asked).toEqual({ id: "bob", name: "", email: "", roles: ["teacher", "learner"] });
});

test("an admin changes roles, and what the server refuses is told", async () => {
  const server = peopleServer().fail("PATCH /api/people/ada", 409, "`ada` is the only admin", "Give somebody else the role first.");
  const { user } = renderApp("/you/people", server);
  await user.click(await screen.findByRole("checkbox", { name: accountStrings.people.role("Admin", "ada") }));
  expect(await screen.findByText(accountStrings.people.failed)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PATCH")?.body).toEqual({ roles: ["teacher", "admin"] });
  server.answer("PATCH /api/people/ada", { ...ADA, state: "disabled" });
  await user.click(screen.getByRole("button", { name: accountStrings.people.of(accountStrings.people.disable, "ada") }));
  expect(await screen.findByText(accountStrings.people.disabled("ada"))).toBeTruthy();
});

test("the audit log is listed", async () => {
  const entry = { seq: 1, at: AT, person: "root", action: "person.change", target: "ada", detail: { roles: ["teacher"], ended: 2 } };
  renderApp("/you/audit", serverOf(ADMIN).answer("GET /api/audit", { entries: [entry], next: null }));
  expect(await screen.findByText("person.change")).toBeTruthy();
  expect(screen.getByText("roles: teacher; ended: 2")).toBeTruthy();
});

test("where there are no accounts, there is no page about them", async () => {
  renderApp("/you", goodServer());
  expect(await screen.findByRole("heading", { name: strings.notFound.heading })).toBeTruthy();
});

test("roles keep their order, and details are words", () => {
  expect(withRole(["admin"], "teacher", true)).toEqual(["teacher", "admin"]);
  expect(withRole(["teacher", "admin"], "admin", false)).toEqual(["teacher"]);
  expect(detailWords({})).toBe("");
});
