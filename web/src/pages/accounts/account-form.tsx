/** Signs in with an account: by name and password, or at a provider of identities. */

import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from "react";

import { useAccountSignIn } from "../../api/hooks";
import { focusHeading } from "../../layout/page";
import { strings } from "../../strings";
import { accountsRoute } from "../../strings-accounts-route";
import { Button, buttonClass } from "../../ui/button";
import { TextField } from "../../ui/field";
import { FormError } from "../../ui/form-error";
import { Notice } from "../../ui/notice";
import type { AccountSession } from "../../wire/generated";

const text = accountsRoute.signIn;

export function AccountForm({ session }: { session: AccountSession }): ReactNode {
  const asked = new URLSearchParams(window.location.search);
  return (
    <div className="mt-8 flex flex-col gap-6">
      <Problem code={asked.get("problem")} />
      <PasswordForm tenant={asked.get("tenant")} />
      {session.provider !== null && <ProviderLink host={session.provider} tenant={asked.get("tenant")} />}
    </div>
  );
}

function PasswordForm({ tenant }: { tenant: string | null }): ReactNode {
  const [typed, setTyped] = useState({ name: "", password: "" });
  const form = useRef<HTMLFormElement>(null);
  const signIn = useAccountSignIn();
  // As on the page of the passcode: the focus must not be left on what is gone.
  useEffect(() => {
    form.current?.querySelector("input")?.focus();
    return focusHeading;
  }, []);
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    signIn.mutate(
      { ...typed, ...(tenant === null ? {} : { tenant }) },
      { onError: () => form.current?.querySelector<HTMLInputElement>("[type=password]")?.select() },
    );
  };
  return (
    <form ref={form} onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={text.name}
        required
        autoComplete="username"
        autoCapitalize="off"
        value={typed.name}
        onChange={(name) => {
          setTyped((before) => ({ ...before, name }));
        }}
      />
      <TextField
        label={text.password}
        type="password"
        required
        autoComplete="current-password"
        value={typed.password}
        onChange={(password) => {
          setTyped((before) => ({ ...before, password }));
        }}
      />
      {signIn.error !== null && <FormError id="sign-in-error" error={signIn.error} />}
      <Button type="submit" disabled={signIn.isPending}>
        {signIn.isPending ? strings.signIn.submitting : strings.signIn.submit}
      </Button>
    </form>
  );
}

/** The provider shows pages of its own, so this is a way out of the app and not a question to the server. */
function ProviderLink({ host, tenant }: { host: string; tenant: string | null }): ReactNode {
  const back = window.location.pathname;
  const query = new URLSearchParams({ back, ...(tenant === null ? {} : { tenant }) });
  return (
    <>
      <p className="text-center text-ink-soft">{text.or}</p>
      <a className={buttonClass("quiet")} href={`/api/session/oidc?${query.toString()}`}>
        {text.provider(host)}
      </a>
    </>
  );
}

/** The address says only which problem it was: its words are ours, whoever wrote the address. */
function Problem({ code }: { code: string | null }): ReactNode {
  if (code === null) return null;
  const known = Object.entries(text.problems).find(([name]) => name === code);
  return (
    <Notice tone="fail" title={text.problem} isUrgent>
      <p>{known === undefined ? text.problems.failed : known[1]}</p>
    </Notice>
  );
}
