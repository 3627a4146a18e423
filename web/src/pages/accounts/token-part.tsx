/** Makes a token for a program, and shows it once. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { useAccountChange } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { FormError } from "../../ui/form-error";
import { Marked } from "../../ui/marked";
import { Section } from "../../ui/section";
import type { NewToken } from "../../wire/generated";
import { SecretNotice } from "./secret-notice";

const text = accountStrings.tokens;
const DAYS = "365";

export function TokenPart(): ReactNode {
  const [typed, setTyped] = useState({ label: "", days: DAYS });
  const make = useAccountChange((api, asked: NewToken) => api.addToken(asked));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    make.mutate(
      { label: typed.label, days: Number(typed.days) },
      {
        onSuccess: () => {
          setTyped({ label: "", days: DAYS });
        },
      },
    );
  };
  return (
    <Section heading={text.heading} lead={<Marked text={text.lead} />}>
      <form onSubmit={submit} className="flex max-w-2xl flex-wrap items-end gap-4">
        <TextField
          label={text.label}
          required
          className="grow"
          value={typed.label}
          onChange={(label) => {
            setTyped((before) => ({ ...before, label }));
          }}
        />
        <TextField
          label={text.days}
          type="number"
          min={1}
          max={730}
          required
          className="w-32"
          value={typed.days}
          onChange={(days) => {
            setTyped((before) => ({ ...before, days }));
          }}
        />
        <Button type="submit" look="quiet" disabled={make.isPending}>
          {text.make}
        </Button>
      </form>
      <div className="mt-4">
        {make.error !== null && <FormError id="token-error" error={make.error} />}
        {make.data !== undefined && <SecretNotice title={text.made} hint={text.madeHint} secret={make.data.secret} />}
      </div>
    </Section>
  );
}
