/** A file of rules; opened, its families, and each rule with what it says and its examples. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { guardRulesStrings } from "../../../strings-guard-rules";
import { Marked } from "../../../ui/marked";
import { formatRecent } from "../../../ui/when";
import type { GuardFamily, GuardRule } from "../../../wire/generated";
import { DecisionMark } from "../marks";
import type { RuleFile } from "./narrowed";

const text = guardRulesStrings;
const LINK = "font-semibold text-accent underline underline-offset-2 hover:text-accent-strong";

export function FileCard({ file, isOpen }: { file: RuleFile; isOpen: boolean }): ReactNode {
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
