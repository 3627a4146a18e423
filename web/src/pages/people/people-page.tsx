/** The people of the tenant: found, added, given roles, disabled, and what they may spend. */

import { type ReactNode, type RefObject, type SyntheticEvent, useRef, useState } from "react";

import { Button } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { type Column, DataTable } from "../../ui/data/data-table";
import { Mark } from "../../ui/data/facts";
import { Choice } from "../../ui/forms/choice";
import { FormError, TextField, Tick } from "../../ui/forms/field";
import { SearchField } from "../../ui/forms/search-field";
import { useRested } from "../../ui/media";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import type { AccountPerson, LimitOnSpend, PersonChange, PersonNew } from "../../wire/generated";
import { isAbout } from "../../wire/http";
import type { LimitTyped } from "./api";
import { useAccountChange, useLimits, usePeople } from "./hooks";
import { dollars, SecretNotice } from "./secret-notice";
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

function useChange(id: string): { isPending: boolean; change: (asked: Omit<PersonChange, "id">, done?: string) => void } {
  const { isPending, mutate } = useAccountChange((api, asked: Omit<PersonChange, "id">) => api.change(id, asked));
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

// What models may cost, for everyone together and for single people; limits are set and taken away here.

const spendingPartText = accountStrings.spending;

interface SpendingPartProps {
  /** Those of the list above: whom a limit can be set for. */
  people: readonly AccountPerson[];
}

function SpendingPart({ people }: SpendingPartProps): ReactNode {
  const limits = useLimits();
  const [chosen, choose] = useState(EVERYONE);
  const list = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLInputElement>(null);
  const columns: readonly Column<LimitOnSpend>[] = [
    { key: "who", name: spendingPartText.who, cell: ({ person }) => whoIs(person, people), className: "[overflow-wrap:anywhere]" },
    { key: "day", name: spendingPartText.day, cell: (row) => <Used spent={row.spentUsdToday} limit={row.usdPerDay} /> },
    { key: "month", name: spendingPartText.month, cell: (row) => <Used spent={row.spentUsdThisMonth} limit={row.usdPerMonth} /> },
    {
      key: "action",
      name: spendingPartText.action,
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
    <Section heading={spendingPartText.heading} lead={spendingPartText.lead}>
      <Answered query={limits} words={accountStrings} skeleton={<SkeletonRows />}>
        {(answer) => (
          <>
            <div ref={list} tabIndex={-1} role="group" aria-label={spendingPartText.caption}>
              <DataTable
                caption={spendingPartText.caption}
                columns={columns}
                rows={answer.limits}
                rowKey={({ person }) => person}
                narrow="stack"
                empty={<Empty title={spendingPartText.nothing} hint={spendingPartText.nothingHint} />}
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
  if (limit === null) return spendingPartText.free(dollars(spent));
  return (
    <span className="flex flex-wrap gap-x-3">
      {spendingPartText.of(dollars(spent), dollars(limit))}
      {spent >= limit && <Mark tone="warn">{spendingPartText.usedUp}</Mark>}
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
      <Button look="quiet" aria-label={spendingPartText.changeLabel(who)} onClick={onChange}>
        {spendingPartText.change}
      </Button>
      <Button
        look="quiet"
        aria-label={spendingPartText.takeAwayLabel(who)}
        disabled={takeAway.isPending}
        onClick={() => {
          // Told by the promise: the row is gone before its own callbacks would be called.
          takeAway.mutateAsync(person).then(
            () => {
              notify(spendingPartText.taken(who));
              onGone();
            },
            (error: unknown) => {
              if (error instanceof Error) notifyError(spendingPartText.failed, error);
            },
          );
        }}
      >
        {spendingPartText.takeAway}
      </Button>
    </div>
  );
}

interface LimitFormProps {
  chosen: string;
  limits: readonly LimitOnSpend[];
  people: readonly AccountPerson[];
  /** The first field, for whoever brings the focus here. */
  first: RefObject<HTMLInputElement | null>;
  onChoose: (person: string) => void;
}

/** Sets the limit of everyone together or of one person; what the server refuses stands beside its field. */
function LimitForm({ chosen, limits, people, first, onChoose }: LimitFormProps): ReactNode {
  const [typed, setTyped] = useState<{ person: string; figures: Figures } | null>(null);
  const save = useAccountChange((api, asked: LimitTyped) => api.limit(asked));
  // Until somebody types, the fields hold what counts now: a limit is replaced as a whole.
  const figures = typed?.person === chosen ? typed.figures : figuresOf(chosen, limits);
  const error = save.variables?.person === chosen ? save.error : null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    const asked = { person: chosen, usdPerDay: sent(figures.day), usdPerMonth: sent(figures.month) };
    save.mutate(asked, {
      onSuccess: () => {
        const isLimited = asked.usdPerDay !== null || asked.usdPerMonth !== null;
        setTyped(null);
        notify((isLimited ? spendingPartText.saved : spendingPartText.taken)(whoIs(chosen, people)));
      },
    });
  };
  const field = (name: keyof Figures, label: string, wire: keyof LimitTyped): ReactNode => (
    <TextField
      {...(name === "day" ? { ref: first } : {})}
      label={label}
      hint={spendingPartText.empty}
      inputMode="decimal"
      className="sm:flex-1"
      error={isAbout(error, wire) ? error : null}
      value={figures[name]}
      onChange={(value) => {
        setTyped({ person: chosen, figures: { ...figures, [name]: value } });
      }}
    />
  );
  const isElsewhere = !isAbout(error, "usdPerDay") && !isAbout(error, "usdPerMonth");
  return (
    <Section heading={spendingPartText.set} lead={spendingPartText.setHint} isSmall className="mt-6">
      <form onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
        <Choice
          label={spendingPartText.who}
          value={chosen === EVERYONE ? null : chosen}
          any={spendingPartText.everyone}
          options={people.map(({ id }) => [id, whoIs(id, people)] as const)}
          onChoose={(person) => {
            onChoose(person ?? EVERYONE);
          }}
        />
        <div className="flex flex-col gap-4 sm:flex-row sm:items-start">
          {field("day", spendingPartText.perDay, "usdPerDay")}
          {field("month", spendingPartText.perMonth, "usdPerMonth")}
        </div>
        {error !== null && isElsewhere && <FormError id="limit-error" error={error} />}
        <div>
          <Button type="submit" disabled={save.isPending}>
            {spendingPartText.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}

// Limits on spending as the page shows and sends them.

/** The person of a limit that all share. */
const EVERYONE = "";

/** A name and the id beside it where they differ; somebody who is not in the list is only an id. */
export function whoIs(person: string, people: readonly AccountPerson[]): string {
  if (person === EVERYONE) return accountStrings.spending.everyone;
  const name = people.find(({ id }) => id === person)?.name ?? person;
  return name === person ? person : `${name} (${person})`;
}

interface Figures {
  day: string;
  month: string;
}

/** What somebody's limit is now, as it is typed. */
export function figuresOf(person: string, limits: readonly LimitOnSpend[]): Figures {
  const held = limits.find((each) => each.person === person);
  return { day: typed(held?.usdPerDay), month: typed(held?.usdPerMonth) };
}

/** What is sent of a figure: nothing where nothing was typed. */
function sent(figure: string): string | null {
  const plain = figure.trim();
  return plain === "" ? null : plain;
}

function typed(usd: number | null | undefined): string {
  return usd === null || usd === undefined ? "" : String(usd);
}
