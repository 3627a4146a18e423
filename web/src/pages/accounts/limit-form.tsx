/** Sets the limit of everyone together or of one person; what the server refuses stands beside its field. */

import { type ReactNode, type RefObject, type SyntheticEvent, useState } from "react";

import type { LimitTyped } from "../../api/accounts-api";
import { useAccountChange } from "../../api/accounts-hooks";
import { isAbout } from "../../api/errors";
import { accountStrings } from "../../strings-accounts";
import { notify } from "../../toasts/toasts";
import { Button } from "../../ui/button";
import { Choice } from "../../ui/choice";
import { TextField } from "../../ui/field";
import { FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";
import type { AccountPerson, LimitOnSpend } from "../../wire/generated";
import { EVERYONE, type Figures, figuresOf, sent, whoIs } from "./limits";

const text = accountStrings.spending;

interface LimitFormProps {
  chosen: string;
  limits: readonly LimitOnSpend[];
  people: readonly AccountPerson[];
  /** The first field, for whoever brings the focus here. */
  first: RefObject<HTMLInputElement | null>;
  onChoose: (person: string) => void;
}

export function LimitForm({ chosen, limits, people, first, onChoose }: LimitFormProps): ReactNode {
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
