/** The checks of the server: each with its status in words, what was found and what to do. */

import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { useServices } from "../services";
import { strings } from "../strings";
import type { Setup, SetupCheck } from "../wire/generated";
import { SETUP_KEY } from "../wire/hooks";
import { Marked } from "./marked";
import { notify, notifyError } from "./toasts";

const MARKS = {
  ok: { icon: CircleCheck, color: "text-ok" },
  warn: { icon: TriangleAlert, color: "text-warn" },
  fail: { icon: CircleX, color: "text-fail" },
} satisfies Record<SetupCheck["status"], unknown>;

export function Checks({ checks }: { checks: SetupCheck[] }): ReactNode {
  if (checks.length === 0) return <p className="text-ink-soft">{strings.setup.checksEmpty}</p>;
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {checks.map((check) => (
        <CheckRow key={`${check.name} ${check.message}`} check={check} />
      ))}
    </ul>
  );
}

/** How the checks went, in a few words. */
export function summarizeChecks(checks: SetupCheck[]): string {
  const count = (status: SetupCheck["status"]): number => checks.filter((check) => check.status === status).length;
  return strings.checkSummary({ total: checks.length, warn: count("warn"), fail: count("fail") });
}

function CheckRow({ check }: { check: SetupCheck }): ReactNode {
  const { icon: Icon, color } = MARKS[check.status];
  return (
    <li className="flex gap-3 py-2.5">
      <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-semibold">{check.name}</span>
          <span className={`text-base font-semibold ${color}`}>{strings.checkStatus[check.status]}</span>
        </p>
        <Marked className="block text-ink-soft" text={check.message} />
        {check.fix !== null && (
          <p className="mt-1 border-l-2 border-edge pl-3">
            <span className="font-semibold">{strings.setup.fix}</span> <Marked text={check.fix} />
          </p>
        )}
      </div>
    </li>
  );
}

/** Provider, database, project, data folder and version, as a list of names and values. */
export function Facts({ setup }: { setup: Setup }): ReactNode {
  const { provider, database } = setup;
  const text = strings.setup;
  return (
    <dl className="divide-y divide-rule border-y border-rule">
      <Fact name={text.provider} detail={provider.message}>
        {provider.name} · {provider.ready ? text.providerReady : text.providerNotReady}
      </Fact>
      <Fact name={text.database} detail={database.location}>
        {text.databaseEngines[database.engine]} · {text.databaseSchema(database.schema)}
      </Fact>
      <Fact name={text.project}>{setup.project ?? text.projectNone}</Fact>
      <Fact name={text.dataDir}>{setup.dataDir}</Fact>
      <Fact name={text.passcode}>{setup.passcode ? text.passcodeOn : text.passcodeOff}</Fact>
      <Fact name={text.version}>{setup.version}</Fact>
    </dl>
  );
}

interface FactProps {
  name: string;
  detail?: string;
  children: ReactNode;
}

function Fact({ name, detail, children }: FactProps): ReactNode {
  return (
    <div className="grid gap-x-4 py-2.5 sm:grid-cols-[8rem_1fr]">
      <dt className="text-ink-soft">{name}</dt>
      <dd>
        <span className="font-semibold">{children}</span>
        {detail !== undefined && detail !== "" && <Marked className="block text-ink-soft" text={detail} />}
      </dd>
    </div>
  );
}

/** Puts the setup report into the clipboard and says so. */
export function useCopyReport(): () => Promise<void> {
  const { api } = useServices();
  const queries = useQueryClient();
  return async () => {
    try {
      const setup = await queries.query({
        queryKey: SETUP_KEY,
        queryFn: () => api.readSetup(),
        staleTime: "static",
      });
      await writeClipboard(renderReport(setup));
      notify(strings.notices.reportCopied);
    } catch (error) {
      notifyError(strings.notices.copyFailed, error);
    }
  };
}

/** Browsers hide the clipboard from plain http, and ask the person everywhere else. */
async function writeClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    throw new ClipboardClosed();
  }
}

class ClipboardClosed extends Error {
  readonly hint = strings.notices.copyFailedHint;

  constructor() {
    super(strings.notices.copyFailed);
  }
}

/** The setup as plain text, to paste into an issue or a message. */
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

function renderCheck(check: SetupCheck): string[] {
  const line = `- [${strings.checkStatus[check.status]}] ${check.name}: ${check.message}`;
  return check.fix === null ? [line] : [line, `  ${strings.setup.fix} ${check.fix}`];
}
