/** What models may cost, for everyone together and for single people; limits are set and taken away here. */

import { type ReactNode, type RefObject, type SyntheticEvent, useRef, useState } from "react";

import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { Mark } from "../../ui/data/badge";
import { type Column, DataTable } from "../../ui/data/data-table";
import { Empty } from "../../ui/data/empty";
import { Choice } from "../../ui/forms/choice";
import { TextField } from "../../ui/forms/field";
import { FormError } from "../../ui/forms/form-error";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import { isAbout } from "../../wire/errors";
import type { AccountPerson, LimitOnSpend } from "../../wire/generated";
import type { LimitTyped } from "./api";
import { useAccountChange, useLimits } from "./hooks";
import { dollars } from "./secret-notice";
import { accountStrings } from "./strings";

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
        notify((isLimited ? text.saved : text.taken)(whoIs(chosen, people)));
      },
    });
  };
  const field = (name: keyof Figures, label: string, wire: keyof LimitTyped): ReactNode => (
    <TextField
      {...(name === "day" ? { ref: first } : {})}
      label={label}
      hint={text.empty}
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
    <Section heading={text.set} lead={text.setHint} isSmall className="mt-6">
      <form onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
        <Choice
          label={text.who}
          value={chosen === EVERYONE ? null : chosen}
          any={text.everyone}
          options={people.map(({ id }) => [id, whoIs(id, people)] as const)}
          onChoose={(person) => {
            onChoose(person ?? EVERYONE);
          }}
        />
        <div className="flex flex-col gap-4 sm:flex-row sm:items-start">
          {field("day", text.perDay, "usdPerDay")}
          {field("month", text.perMonth, "usdPerMonth")}
        </div>
        {error !== null && isElsewhere && <FormError id="limit-error" error={error} />}
        <div>
          <Button type="submit" disabled={save.isPending}>
            {text.save}
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
