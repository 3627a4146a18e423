/** Changes one's own password. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { useAccountChange } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { notify } from "../../toasts/toasts";
import { Button } from "../../ui/button";
import { TextField } from "../../ui/field";
import { FormError } from "../../ui/form-error";
import { Section } from "../../ui/section";
import type { MyPassword } from "../../wire/generated";

const text = accountStrings.password;
const NOTHING = { current: "", new: "" };

export function PasswordPart(): ReactNode {
  const [typed, setTyped] = useState(NOTHING);
  const change = useAccountChange((api, asked: MyPassword) => api.changePassword(asked));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    change.mutate(typed, {
      onSuccess: () => {
        setTyped(NOTHING);
        notify(text.done);
      },
    });
  };
  const field = (name: keyof typeof typed, label: string, complete: string): ReactNode => (
    <TextField
      label={label}
      type="password"
      required
      autoComplete={complete}
      value={typed[name]}
      onChange={(value) => {
        setTyped((before) => ({ ...before, [name]: value }));
      }}
    />
  );
  return (
    <Section heading={text.heading} lead={text.lead}>
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        {field("current", text.current, "current-password")}
        {field("new", text.fresh, "new-password")}
        {change.error !== null && <FormError id="password-error" error={change.error} />}
        <div>
          <Button type="submit" look="quiet" disabled={change.isPending}>
            {text.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}
