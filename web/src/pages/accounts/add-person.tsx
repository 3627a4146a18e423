/** Adds a person; their password is made up by the server and shown once. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { useAccountChange } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { Button } from "../../ui/button";
import { TextField, Tick } from "../../ui/field";
import { FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";
import type { PersonNew } from "../../wire/generated";
import { ROLES, withRole } from "./roles";
import { SecretNotice } from "./secret-notice";

const text = accountStrings.add;
const NOBODY = { id: "", name: "", email: "", roles: ["learner"] };

export function AddPerson(): ReactNode {
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
    <Section heading={text.heading}>
      <form onSubmit={submit} className="flex max-w-2xl flex-col gap-4">
        <TextField
          label={text.id}
          hint={text.idHint}
          required
          autoCapitalize="off"
          value={typed.id}
          onChange={(id) => {
            take({ id });
          }}
        />
        <TextField
          label={text.name}
          about={text.optional}
          value={typed.name}
          onChange={(name) => {
            take({ name });
          }}
        />
        <TextField
          label={text.email}
          about={text.optional}
          type="email"
          value={typed.email}
          onChange={(email) => {
            take({ email });
          }}
        />
        <fieldset>
          <legend className="font-semibold">{text.roles}</legend>
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
            {text.add}
          </Button>
        </div>
      </form>
      {add.data?.password !== undefined && add.data.password !== null && (
        <div className="mt-4">
          <SecretNotice title={text.password(add.data.person.id)} hint={text.passwordHint} secret={add.data.password} />
        </div>
      )}
    </Section>
  );
}
