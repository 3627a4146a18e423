/** What decides besides rule files: gates, and what holds for every command line. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { locale } from "../../../locale/words";
import { guardStrings } from "../../../strings-guard";
import { guardRulesStrings } from "../../../strings-guard-rules";
import { type Column, DataTable } from "../../../ui/data-table";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import { When } from "../../../ui/when";
import type { GuardGate, GuardHits } from "../../../wire/generated";

const text = guardRulesStrings;

export function Gates({ gates }: { gates: GuardGate[] }): ReactNode {
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

export function Others({ others }: { others: GuardHits[] }): ReactNode {
  if (others.length === 0) return null;
  return (
    <Section heading={text.others} lead={text.othersLead}>
      <DataTable caption={text.others} columns={COLUMNS} rows={others} rowKey={({ rule }) => rule} narrow="stack" />
    </Section>
  );
}
