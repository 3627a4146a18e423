/** The coding agents: which are guarded, whether that works, and changing it. Guard and the settings show them. */

import {
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { clsx } from "clsx";
import { Check as CheckIcon, CircleAlert, CircleDashed, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";

import { words } from "../../locale/words";
import { useServices } from "../../services";
import { strings } from "../../strings";
import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { Card, Mark } from "../../ui/data/facts";
import { formatRecent } from "../../ui/data/when";
import { AlertAnswers, AlertFrame } from "../../ui/dialog";
import { FormError } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { Loading, Skeleton, SkeletonRows } from "../../ui/skeleton";
import { notify } from "../../ui/toasts";
import type { GuardDone, GuardFileChange, GuardHost, GuardHosts, GuardPlan, SetupCheck } from "../../wire/generated";
import { GUARD_KEY } from "../guard/api";

// The texts of the coding agents that Paige can be installed in.

export const guardHostsStrings = words("guardHosts", {
  loading: "Looking at your coding agents…",
  failed: "The coding agents could not be looked at",
  lead:
    "Installing puts Paige's hooks, tools and skills into the settings of a coding agent. What others wrote there stays, " +
    "and uninstalling leaves the files as they were.",
  states: {
    on: "Guarded",
    off: "Not guarded",
    trouble: "Needs a look",
  },
  found: (version: string) => (version === "" ? "Its program is on this machine." : `Version ${version}`),
  notFound: "Its program was not found on this machine.",
  levels: {
    user: "for all your projects",
    project: "for this project",
  } satisfies Record<GuardPlan["level"], string>,
  installedFor: (where: string) => `Installed ${where}.`,
  and: " and ",
  heard: (when: string) => `Last heard of ${when}.`,
  notHeard: "Not heard of yet.",
  fix: "What to do:",
  where: "Where",
  install: (title: string) => `Install in ${title}…`,
  uninstall: (title: string) => `Uninstall from ${title}…`,
  again: (title: string) => `Install in ${title} again…`,
  terminal: "In a terminal:",
  dialog: {
    install: (title: string, where: string) => `Install in ${title} ${where}?`,
    uninstall: (title: string, where: string) => `Uninstall from ${title} ${where}?`,
    description: "These files change. Nothing has happened yet.",
    planning: "Looking what would change…",
    failed: "It cannot be planned",
    nothing: "Nothing would change: it is as it should be already.",
    kinds: {
      created: "New file",
      changed: "Changed",
      removed: "Deleted",
    } satisfies Record<GuardFileChange["kind"], string>,
    diff: (path: string) => `What changes in ${path}`,
    added: "added",
    removed: "removed",
    noText: "Its text stays as it is.",
    files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
    cancel: "Leave it",
    confirm: { install: "Install", uninstall: "Uninstall" },
    working: { install: "Installing…", uninstall: "Uninstalling…" },
    done: {
      install: (title: string) => `Paige is installed in ${title}`,
      uninstall: (title: string) => `Paige is gone from ${title}`,
    },
  },
});

const text = guardHostsStrings;

export function Hosts(): ReactNode {
  const hosts = useHosts();
  const [wish, setWish] = useState<Wish | null>(null);
  const chosen = hosts.data?.hosts.find(({ cli }) => cli === wish?.cli);
  return (
    <Answered query={hosts} words={text} skeleton={<SkeletonRows />}>
      {(found) => (
        <>
          <p className="max-w-2xl text-ink-soft">{text.lead}</p>
          <ul className="mt-5 grid items-start gap-4 lg:grid-cols-2">
            {found.hosts.map((host) => (
              <li key={host.cli}>
                <HostCard host={host} project={found.project} onWish={setWish} />
              </li>
            ))}
          </ul>
          {wish !== null && chosen !== undefined && (
            <PlanDialog
              wish={wish}
              title={chosen.title}
              onClose={() => {
                setWish(null);
              }}
            />
          )}
        </>
      )}
    </Answered>
  );
}

const CHECKS: Record<SetupCheck["status"], { icon: LucideIcon; colour: string }> = {
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

/** One coding agent: its state, what doctor says of it, and what can be done. */
function HostCard({ host, project, onWish }: HostCardProps): ReactNode {
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

function stateOf({ levels, checks }: GuardHost): keyof typeof STATES {
  if (levels.length === 0) return "off";
  return checks.some(({ status }) => status === "fail") ? "trouble" : "on";
}

function CheckLine({ check }: { check: SetupCheck }): ReactNode {
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

const dialogText = guardHostsStrings.dialog;

interface PlanDialogProps {
  wish: Wish;
  title: string;
  onClose: () => void;
}

/** Asks before the settings of a coding agent change, and shows every change first. */
function PlanDialog({ wish, title, onClose }: PlanDialogProps): ReactNode {
  const plan = usePlan(wish);
  const carryOut = useCarryOut(wish, ({ notes }) => {
    notify([dialogText.done[wish.action](title), ...notes].join(". ").replaceAll("`", ""));
    onClose();
  });
  const isEmpty = plan.data?.changes.length === 0;
  const { level, action } = wish;
  return (
    <AlertFrame
      isWide
      title={dialogText[action](title, guardHostsStrings.levels[level])}
      description={dialogText.description}
      onCancel={onClose}
    >
      <div className="min-h-0 flex-1 overflow-auto" data-plan>
        {plan.data !== undefined && <Changes plan={plan.data} />}
        {plan.isPending && (
          <Loading label={dialogText.planning}>
            <Skeleton className="h-40" />
          </Loading>
        )}
        {plan.isError && <FormError id="plan-error" error={plan.error} />}
      </div>
      {carryOut.isError && <FormError id="carry-out-error" error={carryOut.error} />}
      <AlertAnswers cancel={dialogText.cancel}>
        <Button
          look={action === "install" ? "primary" : "danger"}
          disabled={plan.data === undefined || isEmpty || carryOut.isPending}
          onClick={() => {
            if (plan.data !== undefined) carryOut.mutate(plan.data.digest);
          }}
        >
          {carryOut.isPending ? dialogText.working[action] : dialogText.confirm[action]}
        </Button>
      </AlertAnswers>
    </AlertFrame>
  );
}

function Changes({ plan: { changes, notes } }: { plan: GuardPlan }): ReactNode {
  return (
    <>
      <p className="font-semibold">{changes.length === 0 ? dialogText.nothing : dialogText.files(changes.length)}</p>
      {notes.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {notes.map((note) => (
            <li key={note}>
              <Marked text={note} />
            </li>
          ))}
        </ul>
      )}
      <ul className="mt-2 flex flex-col gap-2 empty:hidden">
        {changes.map((change, place) => (
          <li key={change.path}>
            <Diff change={change} isOpen={place === 0} />
          </li>
        ))}
      </ul>
    </>
  );
}

// The server's answers about coding agents and what guards them, as React hooks.

export function useHosts(): UseQueryResult<GuardHosts> {
  const { guard } = useServices().api;
  return useQuery({ queryKey: [...GUARD_KEY, "hosts"], queryFn: () => guard.hosts() });
}

/** What is to be done to the settings of a coding agent. */
interface Wish {
  cli: GuardHost["cli"];
  action: GuardPlan["action"];
  level: GuardPlan["level"];
}

function usePlan({ cli, action, level }: Wish): UseQueryResult<GuardPlan> {
  const { guard } = useServices().api;
  return useQuery({
    queryKey: [...GUARD_KEY, "plan", cli, action, level],
    queryFn: () => guard.plan(cli, { action, level }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** Carries out a plan; `onDone` is called before everything is read again. */
function useCarryOut(
  { cli, action, level }: Wish,
  onDone: (done: GuardDone) => void,
): UseMutationResult<GuardDone, Error, string> {
  const { guard } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (digest) => guard.carryOut(cli, { action, level, digest }),
    onSuccess: (done) => {
      onDone(done);
      void queries.invalidateQueries({ queryKey: GUARD_KEY, predicate: ({ queryKey }) => queryKey[1] !== "plan" });
    },
  });
}

// What would change in a file, line by line; signs and words say it, colours only help.

const diffText = guardHostsStrings.dialog;

export function Diff({ change, isOpen }: { change: GuardFileChange; isOpen: boolean }): ReactNode {
  const lines = linesOf(change.diff);
  return (
    <details open={isOpen || undefined} className="rounded-lg border border-line">
      <summary className="cursor-pointer rounded-lg px-3 py-2 hover:text-accent">
        <span className="font-semibold">{diffText.kinds[change.kind]}</span>{" "}
        <code className="text-[0.9em] [overflow-wrap:anywhere]">{change.path}</code>
      </summary>
      {lines.length === 0 ? (
        <p className="border-t border-rule px-3 py-2 text-ink-soft">{diffText.noText}</p>
      ) : (
        // It may be wider than the dialog: the keyboard has to get there to scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div role="group" tabIndex={0} aria-label={diffText.diff(change.path)} className="max-h-80 overflow-auto border-t border-rule">
          <pre className="w-max min-w-full py-1 font-mono text-sm leading-snug">
            {lines.map((line, place) => (
              <Line key={place} line={line} />
            ))}
          </pre>
        </div>
      )}
    </details>
  );
}

function Line({ line }: { line: string }): ReactNode {
  const sign = line[0] ?? " ";
  const isAdded = sign === "+";
  const isRemoved = sign === "-";
  return (
    <span
      className={clsx(
        "block px-3",
        isAdded && "bg-ok/12 text-ok",
        isRemoved && "bg-fail/12 text-fail",
        sign === "@" && "text-ink-soft",
      )}
    >
      {(isAdded || isRemoved) && <span className="sr-only">{isAdded ? diffText.added : diffText.removed}: </span>}
      {line === "" ? " " : line}
      {"\n"}
    </span>
  );
}

/** The lines of a unified diff without its head, which names the file once more. */
function linesOf(diff: string): string[] {
  const lines = diff.split("\n").filter((line) => !line.startsWith("--- ") && !line.startsWith("+++ "));
  return lines.length === 1 && lines[0] === "" ? [] : lines;
}
