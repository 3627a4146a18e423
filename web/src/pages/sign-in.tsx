/** The page that asks who one is: by a passcode, or by an account. */

import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef, useState } from "react";

import { useSignIn } from "../api/hooks";
import { Brand } from "../layout/brand";
import { focusHeading, Page } from "../layout/page";
import { strings } from "../strings";
import { accountsRoute } from "../strings-accounts-route";
import { ThemeButton } from "../theme/theme-button";
import { Button } from "../ui/button";
import { FormError } from "../ui/form-error";
import type { AccountSession } from "../wire/generated";
import { AccountForm } from "./accounts/account-form";

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
