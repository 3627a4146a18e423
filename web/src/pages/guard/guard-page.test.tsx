import "./guard-page";

import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../../strings";
import { renderApp } from "../../testing/render-app";
import { guardHostsStrings } from "../hosts/hosts";
import { guardExplainStrings, guardRulesStrings, guardStrings } from "./strings";
import { DECISIONS, ENTRY, EXPLAINED, guardedServer, HOSTS, UNGUARDED } from "./testing/samples";

const text = guardStrings;

test("the page shows what was denied, why, and the command as text", async () => {
  renderApp("/guard", guardedServer());
  const row = await screen.findByRole("button", { name: /git push --force <b>main<\/b>/ });
  expect(row.textContent).toContain(ENTRY.reason);
  expect(document.title).toBe("Guard · Paige");
  expect(document.querySelector("main b")).toBeNull();
  expect(screen.getByText(text.list.count(1, 1))).toBeTruthy();
});

test("before anything is guarded it says how to begin", async () => {
  const none = { ...HOSTS, hosts: HOSTS.hosts.map((host) => ({ ...host, levels: [] })) };
  const { user } = renderApp("/guard", guardedServer().answer("GET /api/guard", UNGUARDED).answer("GET /api/guard/hosts", none));
  expect(await screen.findByText("paige install claude-code")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.empty.toHosts }));
  expect(await screen.findByRole("region", { name: "Claude Code" })).toBeTruthy();
});

test("once something is installed it waits for the first command", async () => {
  renderApp("/guard", guardedServer().answer("GET /api/guard", UNGUARDED));
  expect(await screen.findByText(text.empty.installed)).toBeTruthy();
});

test("a decision opens with everything known about it, and leads to its explanation", async () => {
  const { user, server } = renderApp("/guard", guardedServer());
  const row = await screen.findByRole("button", { name: /git push/ });
  await user.click(row);
  expect(row.getAttribute("aria-expanded")).toBe("true");
  expect(screen.getByText(ENTRY.instead)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.row.explain }));
  expect(await screen.findByText(guardExplainStrings.says.deny)).toBeTruthy();
  expect(server.asked.find(({ path }) => path === "/api/guard/explain")?.body).toEqual({ command: ENTRY.subject, cwd: ENTRY.cwd });
});

test("filters narrow what is shown, the address remembers them, and they can be taken away", async () => {
  const server = guardedServer()
    .answer(`${DECISIONS}&verdict=asked`, { decisions: [], total: 0 })
    .answer(`${DECISIONS}&verdict=asked&query=force`, { decisions: [], total: 0 });
  const { user } = renderApp("/guard", server);
  await user.click(await screen.findByRole("button", { name: text.list.chip("Asked", 0) }));
  await user.type(screen.getByLabelText(text.list.search), "force");
  await waitFor(() => {
    expect(window.location.search).toBe("?verdict=asked&query=force");
  });
  await user.click(await screen.findByRole("button", { name: text.list.takeAway }));
  expect(await screen.findByRole("button", { name: /git push/ })).toBeTruthy();
  expect(window.location.search).toBe("");
  expect(screen.getByLabelText<HTMLInputElement>(text.list.search).value).toBe("");
});

test("decisions that come later are marked as new", async () => {
  const { services, server } = renderApp("/guard", guardedServer());
  await screen.findByText(text.list.count(1, 1));
  const later = { ...ENTRY, id: "d2", at: "2026-03-01T10:05:00Z", subject: "rm -rf /" };
  server.answer(DECISIONS, { decisions: [later, ENTRY], total: 2 });
  await services.queries.invalidateQueries();
  const row = await screen.findByRole("button", { name: /rm -rf/ });
  expect(row.textContent).toContain(text.list.isNew);
  expect(screen.getByText(new RegExp(text.list.fresh(1)))).toBeTruthy();
});

test("the list can be paused", async () => {
  const { user } = renderApp("/guard", guardedServer());
  await user.click(await screen.findByRole("button", { name: text.list.pause }));
  expect(screen.getByText(text.list.paused)).toBeTruthy();
  expect(screen.getByRole("button", { name: text.list.goOn })).toBeTruthy();
});

test("rules are searched, show their examples and say how often they decided", async () => {
  const { user } = renderApp("/guard?tab=rules", guardedServer());
  expect(await screen.findByText(guardRulesStrings.found(2, 1))).toBeTruthy();
  expect(screen.getByText("self-protection")).toBeTruthy();
  expect(screen.getByText(guardRulesStrings.problems)).toBeTruthy();
  await user.type(screen.getByLabelText(guardRulesStrings.search), "force");
  expect(screen.getByText(guardRulesStrings.found(1, 1))).toBeTruthy();
  expect(screen.queryByText("git.reading")).toBeNull();
  const example = screen.getByRole("link", { name: /git push -f$/ });
  expect(example.getAttribute("href")).toBe("/guard?tab=explain&command=git%20push%20-f");
  await user.click(screen.getByRole("button", { name: text.judged.ask }));
  await user.click(screen.getByRole("button", { name: guardRulesStrings.takeAway }));
  expect(screen.getByText(guardRulesStrings.found(2, 1))).toBeTruthy();
});

test("a pasted command is judged with the keyboard, and shows every command found", async () => {
  const { user } = renderApp("/guard?tab=explain", guardedServer());
  await user.type(await screen.findByLabelText(guardExplainStrings.command), "git push -f{Control>}{Enter}{/Control}");
  expect(await screen.findByText(guardExplainStrings.says.deny)).toBeTruthy();
  const [first, second] = within(screen.getByRole("region", { name: guardExplainStrings.result })).getAllByRole("listitem");
  expect(first?.textContent).toContain("git add 'a b'");
  expect(second?.textContent).toContain(guardExplainStrings.strictest);
  expect(window.location.search).toBe("?tab=explain&command=git+push+-f");
});

test("what is suggested instead can be judged too", async () => {
  const { user, server } = renderApp("/guard?tab=explain&command=git+push+-f", guardedServer());
  await user.click(await screen.findByRole("button", { name: guardExplainStrings.judgeThat }));
  await waitFor(() => {
    expect(server.asked.at(-1)?.body).toEqual({ command: EXPLAINED.instead, cwd: "" });
  });
});

test("a coding agent that is in trouble says what to do", async () => {
  renderApp("/guard?tab=hosts", guardedServer());
  const card = await screen.findByRole("region", { name: "Codex CLI" });
  expect(card.textContent).toContain(guardHostsStrings.states.trouble);
  expect(card.textContent).toContain("paige install codex");
  expect(within(card).getByRole("button", { name: guardHostsStrings.uninstall("Codex CLI") })).toBeTruthy();
});

test("installing shows the change first, and carries out exactly what was shown", async () => {
  const { user, server } = renderApp("/guard?tab=hosts", guardedServer());
  await user.click(await screen.findByRole("button", { name: guardHostsStrings.install("Claude Code") }));
  const dialog = await screen.findByRole("alertdialog");
  expect(await within(dialog).findByText(/"hooks": 1/)).toBeTruthy();
  expect(dialog.textContent).toContain("it stays");
  expect(server.asked.some(({ path }) => path === "/api/guard/hosts/claude-code")).toBe(false);
  await user.click(within(dialog).getByRole("button", { name: guardHostsStrings.dialog.confirm.install }));
  expect(await screen.findByText(guardHostsStrings.dialog.done.install("Claude Code"))).toBeTruthy();
  const done = server.asked.find(({ path }) => path === "/api/guard/hosts/claude-code");
  expect(done?.body).toEqual({ action: "install", level: "user", digest: "abc" });
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("a plan that cannot be made says why, and nothing can be confirmed", async () => {
  const server = guardedServer().fail("POST /api/guard/hosts/claude-code/plan", 400, "`settings.json` line 2: a colon is missing");
  const { user } = renderApp("/guard?tab=hosts", server);
  await user.click(await screen.findByRole("button", { name: guardHostsStrings.install("Claude Code") }));
  const dialog = await screen.findByRole("alertdialog");
  expect((await within(dialog).findByRole("alert")).textContent).toContain("line 2");
  expect(within(dialog).getByRole("button", { name: guardHostsStrings.dialog.confirm.install })).toHaveProperty("disabled", true);
});

test("what cannot be read says so and can be tried again", async () => {
  const server = guardedServer().fail("GET /api/guard", 503, "The disk is gone");
  const { user } = renderApp("/guard", server);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("The disk is gone");
  server.answer("GET /api/guard", UNGUARDED);
  await user.click(within(alert).getByRole("button", { name: strings.errors.retry }));
  expect(await screen.findByText(text.empty.toExplain)).toBeTruthy();
});
