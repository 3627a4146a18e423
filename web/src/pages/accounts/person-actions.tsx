/** What an admin does with one account: roles, in or out, another password. */

import type { ReactNode } from "react";

import { useAccountChange } from "../../api/accounts-hooks";
import { accountStrings } from "../../strings-accounts";
import { notify, notifyError } from "../../toasts/toasts";
import { Button } from "../../ui/button";
import type { AccountPerson, PersonChange } from "../../wire/generated";
import { ROLES, withRole } from "./roles";
import { SecretNotice } from "./secret-notice";

const text = accountStrings.people;

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

export function RoleTicks({ person: { id, roles } }: { person: AccountPerson }): ReactNode {
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

export function PersonActions({ person: { id, state } }: { person: AccountPerson }): ReactNode {
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
