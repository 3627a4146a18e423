/** Answers of a server that is set up well. */

import type { Session, Setup } from "../wire/generated";

export const NO_PASSCODE: Session = { required: false, signedIn: false, csrf: "token", demo: false };

export const SETUP: Setup = {
  version: "1.2.3",
  provider: { name: "scripted", ready: true, message: "Answers come from a script" },
  database: { engine: "sqlite", location: "paige.db", schema: "0001" },
  project: null,
  dataDir: "paige-data",
  passcode: false,
  doors: [
    { id: "plan", title: "Plan", audience: "For teachers", summary: "Plan lessons.", works: ["Reads a class"], next: ["Drafts a lesson"] },
    { id: "study", title: "Study", audience: "For learners", summary: "Practise.", works: [], next: ["Reviews"] },
    { id: "coach", title: "Coach", audience: "For developers", summary: "Be coached.", works: ["Says hello"], next: [] },
    { id: "guard", title: "Guard", audience: "For agents", summary: "Govern.", works: ["Checks"], next: ["Blocks"] },
  ],
  checks: [
    { name: "Database", status: "ok", message: "Opens", fix: null },
    { name: "Provider", status: "warn", message: "No key", fix: "Set `PAIGE_KEY`." },
    { name: "Project", status: "fail", message: "Not a repository", fix: "Run `git init`." },
  ],
};
