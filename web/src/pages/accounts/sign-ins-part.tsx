/** The browsers and programs that are signed in, each with a way to end it. */

import type { ReactNode } from "react";

import { useAccountChange, useSignIns } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { notify, notifyError } from "../../toasts/toasts";
import { Answered } from "../../ui/answered";
import { Mark } from "../../ui/badge";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { When } from "../../ui/when";
import type { MySignIn } from "../../wire/generated";

const text = accountStrings.signIns;

const COLUMNS: readonly Column<MySignIn>[] = [
  { key: "what", name: text.what, cell: ({ kind, label }) => `${text.kinds[kind]}: ${label}`, className: "[overflow-wrap:anywhere]" },
  { key: "since", name: text.since, cell: ({ createdAt }) => <When at={createdAt} as="moment" /> },
  { key: "used", name: text.used, cell: ({ lastUsedAt }) => <When at={lastUsedAt} as="moment" /> },
  { key: "until", name: text.until, cell: ({ expiresAt }) => <When at={expiresAt} /> },
  { key: "action", name: text.action, nameHidden: true, cell: (row) => <Action row={row} /> },
];

export function SignInsPart(): ReactNode {
  const signIns = useSignIns();
  return (
    <Section heading={text.heading} lead={text.lead}>
      <Answered query={signIns} words={accountStrings} skeleton={<SkeletonRows />}>
        {(answer) => (
          <DataTable caption={text.caption} columns={COLUMNS} rows={answer.signIns} rowKey={({ id }) => id} narrow="stack" />
        )}
      </Answered>
    </Section>
  );
}

function Action({ row }: { row: MySignIn }): ReactNode {
  const revoke = useAccountChange((api, id: string) => api.revoke(id));
  if (row.this) return <Mark tone="ok">{text.here}</Mark>;
  return (
    <Button
      look="quiet"
      aria-label={text.revokeLabel(row.label)}
      disabled={revoke.isPending}
      onClick={() => {
        revoke.mutate(row.id, {
          onSuccess: () => {
            notify(text.done);
          },
          onError: (error) => {
            notifyError(text.failed, error);
          },
        });
      }}
    >
      {text.revoke}
    </Button>
  );
}
