/** The page that asks who one is: by a passcode, or by an account. */

import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from "react";

import { focusHeading, Page } from "../shell/page";
import { Brand, ThemeButton } from "../shell/theme-button";
import { strings } from "../strings";
import { Button, buttonClass } from "../ui/button";
import { FormError, TextField } from "../ui/forms/field";
import { Notice } from "../ui/section";
import type { AccountSession } from "../wire/generated";
import { useAccountSignIn, useSignIn } from "../wire/hooks";
import { accountsRoute } from "./people/accounts-route";

export function SignInPage({ account }: { account: AccountSession | null }): ReactNode {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="on-board flex h-16 items-center justify-between bg-board px-4 text-board-ink sm:px-8">
        <Brand />
        <ThemeButton className="text-board-ink hover:bg-board-raised hover:text-board-ink" />
      </header>
      <main className="mx-auto w-full max-w-lg flex-1 px-6 pt-16 sm:margin-line sm:px-12">
        <Page title={strings.signIn.heading} lead={account === null ? strings.signIn.lead : accountsRoute.signIn.lead}>
          {account === null ? <PasscodeForm /> : <AccountForm session={account} />}
        </Page>
      </main>
    </div>
  );
}

function PasscodeForm(): ReactNode {
  const [passcode, setPasscode] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const signIn = useSignIn();
  // This page replaces another one at any time, and the one that was asked for replaces it: the focus
  // must not be left on what is gone.
  useEffect(() => {
    input.current?.focus();
    return focusHeading;
  }, []);
  const ids = { input: useId(), error: useId() };
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    signIn.mutate(passcode, { onError: () => input.current?.select() });
  };
  return (
    <form onSubmit={submit} className="mt-8 flex flex-col gap-2">
      <label htmlFor={ids.input} className="font-semibold">
        {strings.signIn.passcode}
      </label>
      <input
        id={ids.input}
        ref={input}
        type="password"
        autoComplete="current-password"
        required
        value={passcode}
        onChange={(event) => {
          setPasscode(event.target.value);
        }}
        aria-invalid={signIn.isError}
        aria-describedby={signIn.isError ? ids.error : undefined}
        className="min-h-12 rounded-md border border-edge bg-card px-4 text-lg aria-invalid:border-2 aria-invalid:border-fail"
      />
      {signIn.error !== null && <FormError id={ids.error} error={signIn.error} />}
      <Button type="submit" className="mt-4" disabled={signIn.isPending}>
        {signIn.isPending ? strings.signIn.submitting : strings.signIn.submit}
      </Button>
    </form>
  );
}

const text = accountsRoute.signIn;

/** Signs in with an account: by name and password, or at a provider of identities. */
function AccountForm({ session }: { session: AccountSession }): ReactNode {
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
