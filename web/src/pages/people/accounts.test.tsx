import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../../strings";
import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import type { AboutMe, AccountPerson, AccountSession, LimitOnSpend, MySignIn } from "../../wire/generated";
import { accountsRoute } from "./accounts-route";
import { detailWords } from "./audit-page";
import { figuresOf, whoIs, withRole } from "./people-page";
import { accountStrings } from "./strings";

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

const text = accountStrings.spending;
const SPENDING_ADA: AccountPerson = {
  id: "ada",
  name: "Ada L",
  email: null,
  roles: ["teacher"],
  state: "active",
  hasPassword: true,
  provider: null,
  createdAt: "2026-03-02T12:00:00Z",
};
const SPENDING_ADMIN: AccountSession = {
  required: true,
  signedIn: true,
  csrf: "fresh",
  accounts: true,
  person: SPENDING_ADA,
  tenant: "local",
  rights: ["people", "audit"],
  provider: null,
};
const SHARED: LimitOnSpend = { person: "", usdPerDay: null, usdPerMonth: 20, spentUsdToday: 0.5, spentUsdThisMonth: 21 };
const HERS: LimitOnSpend = { person: "ada", usdPerDay: 2.5, usdPerMonth: null, spentUsdToday: 0, spentUsdThisMonth: 3 };

function peopleServerOfSpending(): FakeServer {
  return goodServer()
    .answer("GET /api/session", SPENDING_ADMIN)
    .answer("GET /api/people", { people: [SPENDING_ADA], next: null })
    .answer("GET /api/limits", { limits: [SHARED] });
}

test("the limits on spending are listed with what was spent", async () => {
  renderApp("/you/people", peopleServerOfSpending());
  const row = within(await screen.findByRole("row", { name: new RegExp(text.everyone) }));
  expect(row.getByText(text.free("$0.50"))).toBeTruthy();
  expect(row.getByText(text.of("$21.00", "$20.00"))).toBeTruthy();
  expect(row.getByText(text.usedUp)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(text.perMonth).value).toBe("20");
});

test("an admin limits one person, and is told beside the field what is wrong with a figure", async () => {
  const wrong = { code: "bad_input", message: "`usdPerDay` cannot be used", hint: null, field: "usdPerDay" };
  const server = peopleServerOfSpending().answer("PUT /api/limits", { error: wrong }, 400);
  const { user } = renderApp("/you/people", server);
  await user.selectOptions(await screen.findByLabelText(text.who), "Ada L (ada)");
  const day = screen.getByLabelText<HTMLInputElement>(text.perDay);
  const month = screen.getByLabelText<HTMLInputElement>(text.perMonth);
  expect(month.value).toBe("");
  await user.type(day, "much{Enter}");
  const alert = await screen.findByRole("alert");
  expect(day.getAttribute("aria-describedby")?.split(" ")).toContain(alert.id);
  expect([day.getAttribute("aria-invalid"), month.getAttribute("aria-invalid")]).toEqual(["true", null]);
  const both = { limits: [SHARED, HERS] };
  server.answer("PUT /api/limits", both).answer("GET /api/limits", both);
  await user.clear(day);
  await user.type(day, " 2.5 {Enter}");
  expect(await screen.findByText(text.saved("Ada L (ada)"))).toBeTruthy();
  expect(screen.queryByRole("alert")).toBeNull();
  const sent = server.asked.filter(({ method }) => method === "PUT").map(({ body }) => body);
  expect(sent).toEqual([
    { person: "ada", usdPerDay: "much", usdPerMonth: null },
    { person: "ada", usdPerDay: "2.5", usdPerMonth: null },
  ]);
});

test("a limit is changed from its row, and taken away", async () => {
  const server = peopleServerOfSpending().answer("GET /api/limits", { limits: [SHARED, HERS] });
  const { user } = renderApp("/you/people", server);
  await user.click(await screen.findByRole("button", { name: text.changeLabel("Ada L (ada)") }));
  const day = screen.getByLabelText<HTMLInputElement>(text.perDay);
  expect([day, day.value]).toEqual([document.activeElement, "2.5"]);
  server.answer("PUT /api/limits", { limits: [] }).answer("GET /api/limits", { limits: [] });
  await user.click(screen.getByRole("button", { name: text.takeAwayLabel("Ada L (ada)") }));
  expect(await screen.findByText(text.taken("Ada L (ada)"))).toBeTruthy();
  expect(screen.getByText(text.nothing)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("group", { name: text.caption }));
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ person: "ada", usdPerDay: null, usdPerMonth: null });
});

test("somebody who is not in the list is known by the id alone", () => {
  expect(whoIs("kit", [SPENDING_ADA])).toBe("kit");
  expect(figuresOf("kit", [HERS])).toEqual({ day: "", month: "" });
});
