/** The audit log: who did what, a page at a time. */

import type { ReactNode } from "react";

import { Button } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { type Column, DataTable } from "../../ui/data/data-table";
import { When } from "../../ui/data/when";
import { SkeletonRows } from "../../ui/skeleton";
import type { AuditRow } from "../../wire/generated";
import { useAudit } from "./hooks";
import { accountStrings } from "./strings";

const text = accountStrings.audit;

const COLUMNS: readonly Column<AuditRow>[] = [
  { key: "at", name: text.when, cell: ({ at }) => <When at={at} as="moment" /> },
  { key: "person", name: text.who, cell: ({ person }) => person },
  { key: "action", name: text.action, cell: ({ action }) => <code>{action}</code> },
  { key: "target", name: text.target, cell: ({ target }) => target },
  { key: "detail", name: text.detail, cell: ({ detail }) => detailWords(detail), className: "[overflow-wrap:anywhere]" },
];

export default function AuditPage(): ReactNode {
  const audit = useAudit();
  return (
    <div className="mt-8 max-w-5xl">
      <Answered query={audit} words={accountStrings} skeleton={<SkeletonRows />}>
        {({ pages }) => (
          <DataTable
            caption={text.caption}
            columns={COLUMNS}
            rows={pages.flatMap((page) => page.entries)}
            rowKey={({ seq }) => String(seq)}
            narrow="stack"
            empty={<Empty title={text.nothing} hint={text.nothingHint} />}
          />
        )}
      </Answered>
      {audit.hasNextPage && (
        <Button look="quiet" className="mt-4" disabled={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
          {text.older}
        </Button>
      )}
    </div>
  );
}

/** What else is known, as `name: value`. */
export function detailWords(detail: Readonly<Record<string, unknown>>): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(", ") : JSON.stringify(value)}`)
    .join("; ");
}
