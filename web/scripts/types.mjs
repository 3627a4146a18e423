// Writes src/wire/generated.ts from src/wire/schema.json; with --check, fails when it is stale.

import { readFile, writeFile } from "node:fs/promises";

import { generate } from "./generate.mjs";

const SCHEMA = new URL("../src/wire/schema.json", import.meta.url);
const GENERATED = new URL("../src/wire/generated.ts", import.meta.url);

const fresh = await generate(JSON.parse(await readFile(SCHEMA, "utf8")));

if (process.argv.includes("--check")) {
  const current = await readFile(GENERATED, "utf8").catch(() => "");
  if (current !== fresh) {
    console.error("src/wire/generated.ts is stale. Run `npm run types` and commit the result.");
    process.exitCode = 1;
  }
} else {
  await writeFile(GENERATED, fresh);
}
