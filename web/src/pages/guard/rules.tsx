/** The rules by family, with their examples and how often each decided. */

import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import { locale } from "../../locale/words";
import { Answered, NothingFound } from "../../ui/data/answered";
import { type Column, DataTable } from "../../ui/data/data-table";
import { formatRecent, When } from "../../ui/data/when";
import { Chips } from "../../ui/forms/choice";
import { Tick } from "../../ui/forms/field";
import { SearchField } from "../../ui/forms/search-field";
import { Marked } from "../../ui/marked";
import { Notice, Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import type { GuardFamily, GuardGate, GuardHits, GuardProblem, GuardRule, GuardRules } from "../../wire/generated";
import { DecisionMark } from "./guard-page";
import { useRules } from "./hooks";
import { guardRulesStrings, guardStrings } from "./strings";

const text = guardRulesStrings;
const DECISIONS = ["deny", "ask", "allow"] as const;
const OPEN_AT_ONCE = 25;

export function RulesTab(): ReactNode {
  return (
    <Answered query={useRules()} words={text} skeleton={<Skeleton className="h-96" />}>
      {(rules) => <Rules rules={rules} />}
    </Answered>
  );
}

function Rules({ rules }: { rules: GuardRules }): ReactNode {
  const [wish, setWish] = useState<RuleWish>(NOTHING);
  const families = narrowed(rules.families, wish);
  const files = byFile(families);
  const count = families.reduce((sum, family) => sum + family.rules.length, 0);
  return (
    <>
      <p className="max-w-2xl text-ink-soft">{text.lead}</p>
      {rules.problems.length > 0 && <Problems problems={rules.problems} />}
      <div className="mt-5">
        <SearchField
          label={text.search}
          placeholder={text.placeholder}
          clear={text.clear}
          value={wish.words}
          onChange={(words) => {
            setWish({ ...wish, words });
          }}
        />
      </div>
      <Narrowing wish={wish} onWish={setWish} />
      <p role="status" className="mt-5 text-base text-ink-soft">
        {count === 0 ? text.nothing : text.found(count, files.length)}
      </p>
      {count === 0 && (
        <NothingFound
          words={text}
          isFiltered
          onTakeAway={() => {
            setWish(NOTHING);
          }}
        />
      )}
      <ul aria-label={text.families} className="mt-2 flex flex-col gap-2 empty:hidden">
        {files.map((file) => (
          <li key={file.path}>
            {/* Few enough to be read at once. */}
            <FileCard key={String(count <= OPEN_AT_ONCE)} file={file} isOpen={count <= OPEN_AT_ONCE} />
          </li>
        ))}
      </ul>
      <Gates gates={rules.gates} />
      <Others others={rules.others} />
    </>
  );
}

function Narrowing({ wish, onWish }: { wish: RuleWish; onWish: (wish: RuleWish) => void }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
      <Chips
        label={text.decision}
        value={wish.decision}
        all={text.all}
        options={DECISIONS.map((decision) => [decision, guardStrings.judged[decision]])}
        onChoose={(decision) => {
          onWish({ ...wish, decision });
        }}
      />
      <Tick
        label={text.onlyHit}
        isTicked={wish.onlyHit}
        onTick={(onlyHit) => {
          onWish({ ...wish, onlyHit });
        }}
      />
    </div>
  );
}

function Problems({ problems }: { problems: GuardProblem[] }): ReactNode {
  return (
    <Notice tone="warn" title={text.problems} className="mt-5 max-w-3xl">
      <p className="text-ink-soft">{text.problemsLead}</p>
      <ul className="mt-2 divide-y divide-rule">
        {problems.map(({ path, rule, message }) => (
          <li key={`${path} ${rule} ${message}`} className="py-2">
            <code className="text-[0.9em] [overflow-wrap:anywhere]">{rule === "" ? path : `${path}: ${rule}`}</code>
            <Marked className="block" text={message} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

const LINK = "font-semibold text-accent underline underline-offset-2 hover:text-accent-strong";

/** A file of rules; opened, its families, and each rule with what it says and its examples. */
function FileCard({ file, isOpen }: { file: RuleFile; isOpen: boolean }): ReactNode {
  return (
    <details open={isOpen || undefined} className="rounded-lg border border-line bg-card">
      <summary className="cursor-pointer rounded-lg px-4 py-3 hover:text-accent">
        <span className="inline-flex w-[calc(100%-1.5rem)] flex-wrap items-baseline justify-between gap-x-4 align-top">
          <span className="text-lg font-semibold">{file.name}</span>
          <span className="text-base text-ink-soft tabular-nums">
            {text.rules(file.rules)} · {text.decided(file.count)}
          </span>
          <span className="basis-full text-base text-ink-soft [overflow-wrap:anywhere]">
            {text.commands([...new Set(file.families.flatMap(({ commands }) => commands))])}
          </span>
        </span>
      </summary>
      <div className="border-t border-rule px-4 pb-3">
        <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
          <code className="text-[0.9em]">{file.path}</code>, {text.layers[file.layer]}
        </p>
        {file.families.map((family) => (
          <Family key={family.name} family={family} isAlone={file.families.length === 1} />
        ))}
      </div>
    </details>
  );
}

function Family({ family, isAlone }: { family: GuardFamily; isAlone: boolean }): ReactNode {
  return (
    <>
      {!isAlone && (
        <h3 className="mt-4 flex flex-wrap items-baseline gap-x-3 border-b border-edge pb-1 text-lg">
          {family.name}
          <span className="font-sans text-base font-normal text-ink-soft [overflow-wrap:anywhere]">{text.commands(family.commands)}</span>
        </h3>
      )}
      {family.about !== "" && <Marked className="mt-2 block text-ink-soft" text={family.about} />}
      <ul className="divide-y divide-rule">
        {family.rules.map((rule) => (
          <li key={rule.name} className="py-3">
            <Rule rule={rule} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Rule({ rule }: { rule: GuardRule }): ReactNode {
  const { hits } = rule;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <DecisionMark decision={rule.decision} />
        <span className="font-semibold [overflow-wrap:anywhere]">{rule.name}</span>
        <span className="text-base text-ink-soft tabular-nums">
          {text.decided(hits.count)}
          {hits.last !== null && `, ${text.last(formatRecent(hits.last, new Date()))}`}
        </span>
        {hits.count > 0 && (
          <Link href={`/guard?rule=${encodeURIComponent(rule.name)}&event=any`} className={`text-base ${LINK}`}>
            {text.toDecisions(rule.name)}
          </Link>
        )}
      </p>
      {rule.loses !== "" && <Marked className="mt-0.5 block" text={rule.loses} />}
      {rule.instead !== "" && (
        <p className="text-ink-soft">
          {text.instead}: <Suggestion text={rule.instead} />
        </p>
      )}
      {rule.must.length + rule.mustNot.length > 0 && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">
            {text.examples(rule.must.length + rule.mustNot.length)}
            <span className="sr-only">: {rule.name}</span>
          </summary>
          <div className="mt-2 grid gap-x-6 gap-y-3 lg:grid-cols-2">
            <Examples heading={text.must} commands={rule.must} />
            <Examples heading={text.mustNot} commands={rule.mustNot} />
          </div>
        </details>
      )}
    </>
  );
}

/** A suggestion is a command, or a sentence with commands in it. */
function Suggestion({ text: said }: { text: string }): ReactNode {
  const isSentence = said.includes("`") || said.endsWith(".") || said.endsWith("?");
  return isSentence ? <Marked text={said} /> : <Marked text={`\`${said}\``} />;
}

function Examples({ heading, commands }: { heading: string; commands: string[] }): ReactNode {
  if (commands.length === 0) return null;
  return (
    <div className="min-w-0">
      <p className="text-base font-semibold">{heading}</p>
      <ul className="mt-1 flex flex-col gap-1">
        {commands.map((command) => (
          <li key={command}>
            <Link
              href={`/guard?tab=explain&command=${encodeURIComponent(command)}`}
              className="block rounded bg-line/60 px-2 py-1 hover:text-accent"
            >
              <span className="sr-only">{text.try}: </span>
              <code className="text-[0.9em] [overflow-wrap:anywhere] whitespace-pre-wrap">{command}</code>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What decides besides rule files: gates, and what holds for every command line. */
function Gates({ gates }: { gates: GuardGate[] }): ReactNode {
  return (
    <Section heading={text.gates} lead={text.gatesLead}>
      <ul className="divide-y divide-rule border-y border-rule">
        {gates.map(({ name, about, events }) => (
          <li key={name} className="py-2.5">
            <p className="font-semibold">{name}</p>
            <Marked className="block" text={about} />
            <p className="text-base text-ink-soft">
              {text.gateEvents}: {events.map((event) => guardStrings.events[event] ?? event).join(", ")}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const COLUMNS: readonly Column<GuardHits>[] = [
  {
    key: "rule",
    name: text.othersTable.rule,
    sortBy: ({ rule }) => rule,
    cell: ({ rule, reason }) => (
      <>
        <Link
          href={`/guard?rule=${encodeURIComponent(rule)}&event=any`}
          className="font-semibold text-accent underline underline-offset-2 [overflow-wrap:anywhere] hover:text-accent-strong"
        >
          {rule}
        </Link>
        {reason !== "" && <Marked className="line-clamp-2 text-base text-ink-soft [overflow-wrap:anywhere]" text={reason} />}
      </>
    ),
  },
  { key: "count", name: text.othersTable.count, align: "end", sortBy: ({ count }) => count, cell: ({ count }) => count.toLocaleString(locale()) },
  { key: "denied", name: text.othersTable.denied, align: "end", sortBy: ({ denied }) => denied, cell: ({ denied }) => denied.toLocaleString(locale()) },
  {
    key: "last",
    name: text.othersTable.last,
    align: "end",
    sortBy: ({ last }) => last,
    cell: ({ last }) => last !== null && <When at={last} as="recent" />,
  },
];

function Others({ others }: { others: GuardHits[] }): ReactNode {
  if (others.length === 0) return null;
  return (
    <Section heading={text.others} lead={text.othersLead}>
      <DataTable caption={text.others} columns={COLUMNS} rows={others} rowKey={({ rule }) => rule} narrow="stack" />
    </Section>
  );
}

// Which rules somebody wants to see.

interface RuleWish {
  words: string;
  decision: GuardRule["decision"] | null;
  onlyHit: boolean;
}

const NOTHING: RuleWish = { words: "", decision: null, onlyHit: false };

/** The families with the rules that fit; a family whose own name or program fits keeps all of them. */
function narrowed(families: readonly GuardFamily[], wish: RuleWish): GuardFamily[] {
  const words = wish.words.toLowerCase().split(/\s+/).filter(Boolean);
  return families.flatMap((family) => {
    const about = `${family.name} ${family.commands.join(" ")} ${family.about}`.toLowerCase();
    const rules = family.rules.filter(
      (rule) =>
        (wish.decision === null || rule.decision === wish.decision) &&
        (!wish.onlyHit || rule.hits.count > 0) &&
        words.every((word) => about.includes(word) || textOf(rule).includes(word)),
    );
    return rules.length === 0 ? [] : [{ ...family, rules }];
  });
}

/** Families that stand in one file belong together. */
interface RuleFile {
  name: string;
  path: string;
  layer: GuardFamily["layer"];
  families: GuardFamily[];
  rules: number;
  count: number;
}

function byFile(families: readonly GuardFamily[]): RuleFile[] {
  const files = new Map<string, RuleFile>();
  for (const family of families) {
    const { path, layer } = family;
    const file = files.get(path) ?? { name: nameOf(path), path, layer, families: [], rules: 0, count: 0 };
    file.families.push(family);
    file.rules += family.rules.length;
    file.count += family.rules.reduce((sum, { hits }) => sum + hits.count, 0);
    files.set(path, file);
  }
  return [...files.values()];
}

function nameOf(path: string): string {
  return path.replace(/^.*[\\/]/, "").replace(/\.toml$/, "");
}

function textOf({ name, loses, instead, must }: GuardRule): string {
  return `${name} ${loses} ${instead} ${must.join(" ")}`.toLowerCase();
}
