/** The people of the tenant: found, added, given roles, disabled, and what they may spend. */

import { type ReactNode, useState } from "react";

import { usePeople } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { Answered } from "../../ui/answered";
import { Mark } from "../../ui/badge";
import { Button } from "../../ui/button";
import { type Column, DataTable } from "../../ui/data-table";
import { Empty } from "../../ui/empty";
import { useRested } from "../../ui/rested";
import { SearchField } from "../../ui/search-field";
import { SkeletonRows } from "../../ui/skeleton";
import type { AccountPerson } from "../../wire/generated";
import { AddPerson } from "./add-person";
import { PersonActions, RoleTicks } from "./person-actions";
import { SpendingPart } from "./spending-part";

const text = accountStrings.people;
const REST_MS = 200;

const COLUMNS: readonly Column<AccountPerson>[] = [
  { key: "name", name: text.name, cell: (person) => <Who person={person} /> },
  { key: "roles", name: accountStrings.you.roles, cell: (person) => <RoleTicks person={person} /> },
  {
    key: "state",
    name: text.state,
    cell: ({ state }) => <Mark tone={state === "active" ? "ok" : "soft"}>{text.states[state]}</Mark>,
  },
  { key: "action", name: text.action, nameHidden: true, cell: (person) => <PersonActions person={person} /> },
];

export default function PeoplePage(): ReactNode {
  const [typed, setTyped] = useState("");
  const people = usePeople(useRested(typed.trim(), REST_MS));
  return (
    <div className="max-w-5xl">
      <AddPerson />
      <div className="mt-10 mb-4 max-w-xl">
        <SearchField label={text.search} placeholder={text.placeholder} clear={text.clear} value={typed} onChange={setTyped} />
      </div>
      <Answered query={people} words={accountStrings} skeleton={<SkeletonRows />}>
        {({ pages }) => (
          <DataTable
            caption={text.caption}
            columns={COLUMNS}
            rows={pages.flatMap((page) => page.people)}
            rowKey={({ id }) => id}
            narrow="stack"
            empty={<Empty title={text.nobody} hint={text.nobodyHint} />}
          />
        )}
      </Answered>
      {people.hasNextPage && (
        <Button look="quiet" className="mt-4" disabled={people.isFetchingNextPage} onClick={() => void people.fetchNextPage()}>
          {text.more}
        </Button>
      )}
      <SpendingPart people={people.data?.pages.flatMap((page) => page.people) ?? []} />
    </div>
  );
}

function Who({ person: { id, name, email } }: { person: AccountPerson }): ReactNode {
  return (
    <>
      <span className="block font-semibold [overflow-wrap:anywhere]">{name}</span>
      <span className="block text-ink-soft [overflow-wrap:anywhere]">{email === null ? id : `${id}, ${email}`}</span>
    </>
  );
}
