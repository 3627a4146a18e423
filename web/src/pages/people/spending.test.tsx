import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import type { AccountPerson, AccountSession, LimitOnSpend } from "../../wire/generated";
import { figuresOf, whoIs } from "./spending-part";
import { accountStrings } from "./strings";

const text = accountStrings.spending;
const ADA: AccountPerson = {
  id: "ada",
  name: "Ada L",
  email: null,
  roles: ["teacher"],
  state: "active",
  hasPassword: true,
  provider: null,
  createdAt: "2026-03-02T12:00:00Z",
};
const ADMIN: AccountSession = {
  required: true,
  signedIn: true,
  csrf: "fresh",
  accounts: true,
  person: ADA,
  tenant: "local",
  rights: ["people", "audit"],
  provider: null,
};
const SHARED: LimitOnSpend = { person: "", usdPerDay: null, usdPerMonth: 20, spentUsdToday: 0.5, spentUsdThisMonth: 21 };
const HERS: LimitOnSpend = { person: "ada", usdPerDay: 2.5, usdPerMonth: null, spentUsdToday: 0, spentUsdThisMonth: 3 };

function peopleServer(): FakeServer {
  return goodServer()
    .answer("GET /api/session", ADMIN)
    .answer("GET /api/people", { people: [ADA], next: null })
    .answer("GET /api/limits", { limits: [SHARED] });
}

test("the limits on spending are listed with what was spent", async () => {
  renderApp("/you/people", peopleServer());
  const row = within(await screen.findByRole("row", { name: new RegExp(text.everyone) }));
  expect(row.getByText(text.free("$0.50"))).toBeTruthy();
  expect(row.getByText(text.of("$21.00", "$20.00"))).toBeTruthy();
  expect(row.getByText(text.usedUp)).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(text.perMonth).value).toBe("20");
});

test("an admin limits one person, and is told beside the field what is wrong with a figure", async () => {
  const wrong = { code: "bad_input", message: "`usdPerDay` cannot be used", hint: null, field: "usdPerDay" };
  const server = peopleServer().answer("PUT /api/limits", { error: wrong }, 400);
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
  const server = peopleServer().answer("GET /api/limits", { limits: [SHARED, HERS] });
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
  expect(whoIs("kit", [ADA])).toBe("kit");
  expect(figuresOf("kit", [HERS])).toEqual({ day: "", month: "" });
});
