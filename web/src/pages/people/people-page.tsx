/** The people of the tenant: found, added, given roles, disabled, and what they may spend. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { Mark } from "../../ui/data/badge";
import { type Column, DataTable } from "../../ui/data/data-table";
import { Empty } from "../../ui/data/empty";
import { TextField, Tick } from "../../ui/forms/field";
import { FormError } from "../../ui/forms/form-error";
import { SearchField } from "../../ui/forms/search-field";
import { useRested } from "../../ui/rested";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import type { AccountPerson, PersonChange, PersonNew } from "../../wire/generated";
import { useAccountChange, usePeople } from "./hooks";
import { SecretNotice } from "./secret-notice";
import { SpendingPart } from "./spending-part";
import { accountStrings } from "./strings";

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

const addText = accountStrings.add;
const NOBODY = { id: "", name: "", email: "", roles: ["learner"] };

/** Adds a person; their password is made up by the server and shown once. */
function AddPerson(): ReactNode {
  const [typed, setTyped] = useState(NOBODY);
  const add = useAccountChange((api, asked: PersonNew) => api.add(asked));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    add.mutate(typed, {
      onSuccess: () => {
        setTyped(NOBODY);
      },
    });
  };
  const take = (change: Partial<typeof NOBODY>): void => {
    setTyped((before) => ({ ...before, ...change }));
  };
  return (
    <Section heading={addText.heading}>
      <form onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
        <TextField
          label={addText.id}
          hint={addText.idHint}
          required
          autoCapitalize="off"
          value={typed.id}
          onChange={(id) => {
            take({ id });
          }}
        />
        <TextField
          label={addText.name}
          about={addText.optional}
          value={typed.name}
          onChange={(name) => {
            take({ name });
          }}
        />
        <TextField
          label={addText.email}
          about={addText.optional}
          type="email"
          value={typed.email}
          onChange={(email) => {
            take({ email });
          }}
        />
        <fieldset>
          <legend className="font-semibold">{addText.roles}</legend>
          <p className="mb-2 text-ink-soft">{accountStrings.shellNote}</p>
          {ROLES.map((role) => (
            <Tick
              key={role}
              label={`${accountStrings.roles[role]}: ${accountStrings.rolesHint[role]}`}
              isTicked={typed.roles.includes(role)}
              onTick={(isHeld) => {
                take({ roles: withRole(typed.roles, role, isHeld) });
              }}
            />
          ))}
        </fieldset>
        {add.error !== null && <FormError id="add-error" error={add.error} />}
        <div>
          <Button type="submit" disabled={add.isPending}>
            {addText.add}
          </Button>
        </div>
      </form>
      {add.data?.password !== undefined && add.data.password !== null && (
        <div className="mt-4">
          <SecretNotice title={addText.password(add.data.person.id)} hint={addText.passwordHint} secret={add.data.password} />
        </div>
      )}
    </Section>
  );
}

function failed(error: Error): void {
  notifyError(text.failed, error);
}

function useChange(id: string): { isPending: boolean; change: (asked: PersonChange, done?: string) => void } {
  const { isPending, mutate } = useAccountChange((api, asked: PersonChange) => api.change(id, asked));
  return {
    isPending,
    change: (asked, done) => {
      mutate(asked, {
        onSuccess: () => {
          if (done !== undefined) notify(done);
        },
        onError: failed,
      });
    },
  };
}

/** What an admin does with one account: roles, in or out, another password. */
function RoleTicks({ person: { id, roles } }: { person: AccountPerson }): ReactNode {
  const { isPending, change } = useChange(id);
  return (
    <div className="flex flex-wrap gap-x-4">
      {ROLES.map((role) => (
        <label key={role} title={accountStrings.rolesHint[role]} className="flex min-h-9 cursor-pointer items-center gap-2">
          <input
            type="checkbox"
            aria-label={text.role(accountStrings.roles[role], id)}
            checked={roles.includes(role)}
            disabled={isPending}
            className="size-5 shrink-0 accent-accent"
            onChange={(event) => {
              change({ roles: withRole(roles, role, event.target.checked) });
            }}
          />
          {accountStrings.roles[role]}
        </label>
      ))}
    </div>
  );
}

function PersonActions({ person: { id, state } }: { person: AccountPerson }): ReactNode {
  const { isPending, change } = useChange(id);
  const reset = useAccountChange((api, person: string) => api.resetPassword(person));
  const isActive = state === "active";
  const words = isActive ? text.disable : text.enable;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap gap-2">
        <Button
          look="quiet"
          aria-label={text.of(words, id)}
          disabled={isPending}
          onClick={() => {
            change({ state: isActive ? "disabled" : "active" }, isActive ? text.disabled(id) : text.enabled(id));
          }}
        >
          {words}
        </Button>
        <Button
          look="quiet"
          aria-label={text.of(text.reset, id)}
          disabled={reset.isPending}
          onClick={() => {
            reset.mutate(id, { onError: failed });
          }}
        >
          {text.reset}
        </Button>
      </div>
      {reset.data?.password !== undefined && reset.data.password !== null && (
        <SecretNotice title={accountStrings.add.password(id)} hint={accountStrings.add.passwordHint} secret={reset.data.password} />
      )}
    </div>
  );
}

// The roles of people, in the order they are shown.

type Role = keyof typeof accountStrings.roles;

const ROLES = Object.keys(accountStrings.roles) as Role[];

/** The roles with one more, or one less; always in the same order. */
export function withRole(roles: readonly string[], role: Role, isHeld: boolean): string[] {
  return ROLES.filter((each) => (each === role ? isHeld : roles.includes(each)));
}
