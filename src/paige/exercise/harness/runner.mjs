// Loaded by Node before the tests of an exercise, and then used by its test runner as the reporter.
// It takes the key before any code of the learner is loaded, adds a test that must fail, and signs
// what the test runner says. Only one reporter may ever run: a second one makes the run void.
import assert from "node:assert";
import strict from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, createHmac, randomBytes } from "node:crypto";
import { closeSync, readFileSync, readSync, writeSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as testing from "node:test";

const MOST = 4000;
const stringify = JSON.stringify.bind(JSON);
const plan = JSON.parse(process.argv.pop());
const keyFd = Number(process.env.PAIGE_KEY_FD);
const sayFd = Number(process.env.PAIGE_SAY_FD);
const key = Buffer.alloc(32);
readSync(keyFd, key, 0, 32, null);
closeSync(keyFd);
delete process.env.PAIGE_KEY_FD;
delete process.env.PAIGE_SAY_FD;

// What tests are made of, as it was before anybody could change it.
const tools = [assert, strict, Object.prototype, Function.prototype, testing.default].map((tool) => [
  tool,
  Object.getOwnPropertyNames(tool).map((name) => [name, Object.getOwnPropertyDescriptor(tool, name)]),
]);

function changed() {
  for (const [tool, known] of tools)
    for (const [name, old] of known) {
      const now = Object.getOwnPropertyDescriptor(tool, name);
      if (now?.value !== old.value || now?.get !== old.get) return name;
    }
  return undefined;
}

let number = 0;
let claimed = false;
const mark = randomBytes(8).toString("hex");

function say(kind, value) {
  const body = Buffer.from(stringify([number++, kind, value]));
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  const data = Buffer.concat([head, createHmac("sha256", key).update(body).digest(), body]);
  for (let at = 0; at < data.length; ) at += writeSync(sayFd, data, at);
}

function unreadable(name) {
  try {
    execFileSync(process.execPath, ["--check", name], { stdio: ["ignore", "ignore", "pipe"] });
    return [];
  } catch (error) {
    const text = String(error.stderr);
    const line = Number(/:(\d+)\n/.exec(text)?.[1] ?? 0);
    const said = /^\w*Error: .*$/m.exec(text)?.[0] ?? "It cannot be read";
    return [[name, line, 0, text.split("\n")[1] ?? "", said]];
  }
}

function counted(name) {
  return (readFileSync(name, "utf8").match(/^\s*(?:test|it)\s*\(/gm) ?? []).length;
}

function unchanged() {
  return Object.entries(plan.hashes).every(
    ([name, hash]) => createHash("sha256").update(readFileSync(name)).digest("hex") === hash,
  );
}

const wrong = [...plan.solution, ...plan.tests].flatMap(unreadable);
say("sources", [wrong, [], plan.tests.map(counted).reduce((sum, each) => sum + each, 0)]);
if (wrong.length > 0) process.exit(0);
testing.test(mark, () => {
  throw new Error("expected");
});

export default async function* reporter(source) {
  if (claimed) {
    say("void", "caller");
    return;
  }
  claimed = true;
  const rows = [];
  for await (const { type, data } of source) {
    const isTest = data?.details?.type !== "suite" && data?.name !== fileURLToPath(import.meta.url);
    if (type === "test:start" && data.name !== mark) say("start", `${data.nesting}:${data.name}`);
    if ((type !== "test:pass" && type !== "test:fail") || !isTest) continue;
    const node = data.name === mark ? mark : `${rows.length}:${data.name}`;
    const leftOut = data.skip !== undefined || data.todo !== undefined;
    const cause = data.details?.error?.cause ?? data.details?.error;
    const text = type === "test:fail" ? String(cause?.message ?? cause ?? "").slice(0, MOST) : "";
    rows.push([node, data.name, "", null, leftOut, data.name === mark]);
    if (changed()) say("void", changed());
    const outcome = type === "test:pass" ? "passed" : "failed";
    say("report", [node, "call", outcome, false, text, ""]);
    yield "";
  }
  if (!unchanged()) say("void", "test file");
  say("collected", rows);
  say("closed", 0);
}
