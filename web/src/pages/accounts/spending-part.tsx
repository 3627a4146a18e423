/** What models may cost, for everyone together and for single people; limits are set and taken away here. */

import { type ReactNode, useRef, useState } from "react";

import { useAccountChange, useLimits } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { notify, notifyError } from "../../toasts/toasts";
import { Answered } from "../../ui/answered";
import { Mark } from "../../ui/badge";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Empty } from "../../ui/empty";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import type { AccountPerson, LimitOnSpend } from "../../wire/generated";
import { dollars } from "./dollars";
import { LimitForm } from "./limit-form";
import { EVERYONE, whoIs } from "./limits";

const text = accountStrings.spending;

interface SpendingPartProps {
  /** Those of the list above: whom a limit can be set for. */
  people: readonly AccountPerson[];
}

export function SpendingPart({ people }: SpendingPartProps): ReactNode {
  const limits = useLimits();
  const [chosen, choose] = useState(EVERYONE);
  const list = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const columns: readonly Column<LimitOnSpend>[] = [
    { key: "who", name: text.who, cell: ({ person }) => whoIs(person, people), className: "[overflow-wrap:anywhere]" },
    { key: "day", name: text.day, cell: (row) => <Used spent={row.spentUsdToday} limit={row.usdPerDay} /> },
    { key: "month", name: text.month, cell: (row) => <Used spent={row.spentUsdThisMonth} limit={row.usdPerMonth} /> },
    {
      key: "action",
      name: text.action,
      nameHidden: true,
      cell: ({ person }) => (
        <LimitActions
          person={person}
          who={whoIs(person, people)}
          onChange={() => {
            choose(person);
            first.current?.focus();
          }}
          // The row is gone, and its button with it: the focus stays near where it was.
          onGone={() => list.current?.focus()}
        />
      ),
    },
  ];
  return (
    <Section heading={text.heading} lead={text.lead}>
      <Answered query={limits} words={accountStrings} skeleton={<SkeletonRows />}>
        {(answer) => (
          <>
            <div ref={list} tabIndex={-1} role="group" aria-label={text.caption}>
              <DataTable
                caption={text.caption}
                columns={columns}
                rows={answer.limits}
                rowKey={({ person }) => person}
                narrow="stack"
                empty={<Empty title={text.nothing} hint={text.nothingHint} />}
              />
            </div>
            <LimitForm first={first} chosen={chosen} limits={answer.limits} people={people} onChoose={choose} />
          </>
        )}
      </Answered>
    </Section>
  );
}

function Used({ spent, limit }: { spent: number; limit: number | null }): ReactNode {
  if (limit === null) return text.free(dollars(spent));
  return (
    <span className="flex flex-wrap gap-x-3">
      {text.of(dollars(spent), dollars(limit))}
      {spent >= limit && <Mark tone="warn">{text.usedUp}</Mark>}
    </span>
  );
}

interface LimitActionsProps {
  person: string;
  who: string;
  onChange: () => void;
  onGone: () => void;
}

function LimitActions({ person, who, onChange, onGone }: LimitActionsProps): ReactNode {
  const takeAway = useAccountChange((api, id: string) => api.limit({ person: id, usdPerDay: null, usdPerMonth: null }));
  return (
    <div className="flex flex-wrap gap-2">
      <Button look="quiet" aria-label={text.changeLabel(who)} onClick={onChange}>
        {text.change}
      </Button>
      <Button
        look="quiet"
        aria-label={text.takeAwayLabel(who)}
        disabled={takeAway.isPending}
        onClick={() => {
          // Told by the promise: the row is gone before its own callbacks would be called.
          takeAway.mutateAsync(person).then(
            () => {
              notify(text.taken(who));
              onGone();
            },
            (error: unknown) => {
              if (error instanceof Error) notifyError(text.failed, error);
            },
          );
        }}
      >
        {text.takeAway}
      </Button>
    </div>
  );
}
