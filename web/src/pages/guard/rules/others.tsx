/** What decides besides rule files: gates, and what holds for every command line. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { guardStrings } from "../../../strings-guard";
import { guardRulesStrings } from "../../../strings-guard-rules";
import { Marked } from "../../../ui/marked";
import type { GuardGate, GuardHits } from "../../../wire/generated";
import { formatWhen } from "../when";

const text = guardRulesStrings;

export function Gates({ gates }: { gates: GuardGate[] }): ReactNode {
  return (
    <section aria-labelledby="guard-gates" className="mt-10">
      <h2 id="guard-gates" className="text-xl">
        {text.gates}
      </h2>
      <p className="mt-1 max-w-2xl text-ink-soft">{text.gatesLead}</p>
      <ul className="mt-3 divide-y divide-rule border-y border-rule">
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
    </section>
  );
}

export function Others({ others }: { others: GuardHits[] }): ReactNode {
  if (others.length === 0) return null;
  const now = new Date();
  return (
    <section aria-labelledby="guard-others" className="mt-10">
      <h2 id="guard-others" className="text-xl">
        {text.others}
      </h2>
      <p className="mt-1 max-w-2xl text-ink-soft">{text.othersLead}</p>
      <table className="mt-3 w-full text-left">
        <thead>
          <tr className="border-b border-edge align-bottom text-base">
            <th scope="col" className="py-1 pr-3">
              {text.othersTable.rule}
            </th>
            <th scope="col" className="py-1 pl-3 text-right">
              {text.othersTable.count}
            </th>
            <th scope="col" className="py-1 pl-3 text-right">
              {text.othersTable.denied}
            </th>
            <th scope="col" className="py-1 pl-3 text-right max-sm:hidden">
              {text.othersTable.last}
            </th>
          </tr>
        </thead>
        <tbody>
          {others.map(({ rule, count, denied, last, reason }) => (
            <tr key={rule} className="border-b border-rule align-top">
              <th scope="row" className="py-2 pr-3 font-normal">
                <Link
                  href={`/guard?rule=${encodeURIComponent(rule)}&event=any`}
                  className="font-semibold text-accent underline underline-offset-2 [overflow-wrap:anywhere] hover:text-accent-strong"
                >
                  {rule}
                </Link>
                {reason !== "" && <Marked className="line-clamp-2 text-base text-ink-soft [overflow-wrap:anywhere]" text={reason} />}
              </th>
              <td className="py-2 pl-3 text-right tabular-nums">{count.toLocaleString()}</td>
              <td className="py-2 pl-3 text-right tabular-nums">{denied.toLocaleString()}</td>
              <td className="py-2 pl-3 text-right text-base whitespace-nowrap max-sm:hidden">{last === null ? "" : formatWhen(last, now)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
