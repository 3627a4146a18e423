/** One coding agent: its state, what doctor says of it, and what can be done. */

import { Check as CheckIcon, CircleAlert, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";

import { strings } from "../strings";
import { guardHostsStrings } from "../strings-guard-hosts";
import { Mark } from "../ui/badge";
import { Button } from "../ui/button";
import { Card } from "../ui/card";
import { Marked } from "../ui/marked";
import { formatRecent } from "../ui/when";
import type { Check, GuardHost, GuardPlan } from "../wire/generated";
import type { Wish } from "./hooks";

const text = guardHostsStrings;
const CHECKS: Record<Check["status"], { icon: LucideIcon; colour: string }> = {
  ok: { icon: CheckIcon, colour: "text-ok" },
  warn: { icon: TriangleAlert, colour: "text-warn" },
  fail: { icon: CircleAlert, colour: "text-fail" },
};
const STATES = {
  on: { icon: CheckIcon, tone: "ok" },
  off: { icon: CircleDashed, tone: "soft" },
  trouble: { icon: TriangleAlert, tone: "fail" },
} as const;

interface HostCardProps {
  host: GuardHost;
  project: string | null;
  onWish: (wish: Wish) => void;
}

export function HostCard({ host, project, onWish }: HostCardProps): ReactNode {
  const state = stateOf(host);
  const where = host.levels.map((level) => text.levels[level]).join(text.and);
  return (
    <Card as="section" aria-label={host.title}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-xl">{host.title}</h2>
        <Mark {...STATES[state]}>{text.states[state]}</Mark>
      </div>
      <p className="mt-1 text-base text-ink-soft">
        {host.found ? text.found(host.version) : text.notFound}
        {where !== "" && ` ${text.installedFor(where)}`}
        {where !== "" && ` ${host.last === null ? text.notHeard : text.heard(formatRecent(host.last, new Date()))}`}
      </p>
      {host.checks.length > 0 && (
        <ul className="mt-2 divide-y divide-rule border-y border-rule">
          {host.checks.map((check) => (
            <CheckLine key={`${check.name} ${check.message}`} check={check} />
          ))}
        </ul>
      )}
      <Actions host={host} project={project} onWish={onWish} />
    </Card>
  );
}

export function stateOf({ levels, checks }: GuardHost): keyof typeof STATES {
  if (levels.length === 0) return "off";
  return checks.some(({ status }) => status === "fail") ? "trouble" : "on";
}

function CheckLine({ check }: { check: Check }): ReactNode {
  const { icon: Icon, colour } = CHECKS[check.status];
  return (
    <li className="flex gap-2 py-2 text-base">
      <Icon aria-hidden className={`mt-0.5 size-4.5 shrink-0 ${colour}`} />
      <div className="min-w-0">
        <span className="sr-only">{strings.checkStatus[check.status]}: </span>
        <Marked className="[overflow-wrap:anywhere]" text={check.message} />
        {check.fix !== null && <Marked className="block text-ink-soft" text={`${text.fix} ${check.fix}`} />}
      </div>
    </li>
  );
}

function Actions({ host, project, onWish }: HostCardProps): ReactNode {
  const [level, setLevel] = useState<GuardPlan["level"]>(host.levels[0] ?? "user");
  const isInstalled = host.levels.includes(level);
  const wish = (action: Wish["action"]) => (): void => {
    onWish({ cli: host.cli, action, level });
  };
  return (
    <>
      {project !== null && (
        <fieldset className="mt-3 flex flex-wrap items-center gap-x-5">
          <legend className="sr-only">{text.where}</legend>
          {(["user", "project"] as const).map((each) => (
            <label key={each} className="flex min-h-11 items-center gap-2">
              <input
                type="radio"
                name={`level-${host.cli}`}
                checked={level === each}
                onChange={() => {
                  setLevel(each);
                }}
                className="size-5 accent-accent"
              />
              {text.levels[each]}
            </label>
          ))}
        </fieldset>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button look={isInstalled ? "quiet" : "primary"} onClick={wish("install")}>
          {isInstalled ? text.again(host.title) : text.install(host.title)}
        </Button>
        {isInstalled && (
          <Button look="quiet" onClick={wish("uninstall")}>
            {text.uninstall(host.title)}
          </Button>
        )}
      </div>
      <p className="mt-3 text-base text-ink-soft">
        {text.terminal} <Marked text={`\`paige ${isInstalled ? "uninstall" : "install"} ${host.cli}\``} />
      </p>
    </>
  );
}
