/** The setup as plain text, to paste into an issue or a message. */

import { strings } from "../strings";
import type { Check, Setup } from "../wire/generated";

export function renderReport(setup: Setup): string {
  const { provider, database } = setup;
  const text = strings.setup;
  const facts = [
    `${strings.brand} ${setup.version}`,
    `${text.provider}: ${provider.name} (${provider.ready ? text.providerReady : text.providerNotReady}) ${provider.message}`,
    `${text.database}: ${text.databaseEngines[database.engine]}, ${database.location}, ${text.databaseSchema(database.schema)}`,
    `${text.project}: ${setup.project ?? text.projectNone}`,
    `${text.dataDir}: ${setup.dataDir}`,
    `${text.passcode}: ${setup.passcode ? text.passcodeOn : text.passcodeOff}`,
  ];
  return [...facts, "", `${text.checks}:`, ...setup.checks.flatMap(renderCheck), ""].join("\n");
}

function renderCheck(check: Check): string[] {
  const line = `- [${strings.checkStatus[check.status]}] ${check.name}: ${check.message}`;
  return check.fix === null ? [line] : [line, `  ${strings.setup.fix} ${check.fix}`];
}
