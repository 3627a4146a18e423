/** Oneself: who one is, one's password, where one is signed in, tokens for programs. */

import { type ReactNode, type SyntheticEvent, useState } from "react";

import { byName } from "../../locale/words";
import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { type Column, DataTable } from "../../ui/data/data-table";
import { Fact, Facts, Mark } from "../../ui/data/facts";
import { When } from "../../ui/data/when";
import { FormError, TextField } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import type { AboutMe, MyPassword, MySignIn, NewToken, SpendState } from "../../wire/generated";
import { useAccountChange, useMe, useSignIns } from "./hooks";
import { dollars, SecretNotice } from "./secret-notice";
import { accountStrings } from "./strings";

const text = accountStrings.you;

export default function YouPage(): ReactNode {
  const me = useMe();
  return (
    <div className="max-w-4xl">
      <Answered query={me} words={accountStrings} skeleton={<SkeletonRows className="mt-8" />}>
        {(about) => (
          <>
            <Section heading={text.heading}>
              <About about={about} />
            </Section>
            {about.person.hasPassword && <PasswordPart />}
            <SignInsPart />
            <TokenPart />
          </>
        )}
      </Answered>
    </div>
  );
}

function About({ about: { person, spend } }: { about: AboutMe }): ReactNode {
  const names = byName(accountStrings.roles);
  return (
    <Facts>
      <Fact name={text.name}>{person.name}</Fact>
      <Fact name={text.id}>{person.id}</Fact>
      <Fact name={text.email}>{person.email}</Fact>
      <Fact name={text.roles}>{person.roles.map((role) => names[role] ?? role).join(", ")}</Fact>
      <Fact name={text.provider}>{person.provider}</Fact>
      {spend.map((each) => (
        <Fact key={`${each.whose} ${each.period} ${each.limitUsd}`} name={text.spend}>
          {spentWords(each)}
        </Fact>
      ))}
    </Facts>
  );
}

function spentWords({ spentUsd, limitUsd, period, whose }: SpendState): string {
  return text.spent(dollars(spentUsd), dollars(limitUsd), period, whose === "everyone");
}

const passwordText = accountStrings.password;
const NOTHING = { current: "", new: "" };

/** Changes one's own password. */
function PasswordPart(): ReactNode {
  const [typed, setTyped] = useState(NOTHING);
  const change = useAccountChange((api, asked: MyPassword) => api.changePassword(asked));
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    change.mutate(typed, {
      onSuccess: () => {
        setTyped(NOTHING);
        notify(passwordText.done);
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
    <Section heading={passwordText.heading} lead={passwordText.lead}>
      <form onSubmit={submit} className="flex max-w-md flex-col gap-4">
        {field("current", passwordText.current, "current-password")}
        {field("new", passwordText.fresh, "new-password")}
        {change.error !== null && <FormError id="password-error" error={change.error} />}
        <div>
          <Button type="submit" look="quiet" disabled={change.isPending}>
            {passwordText.change}
          </Button>
        </div>
      </form>
    </Section>
  );
}

const signInsText = accountStrings.signIns;

const COLUMNS: readonly Column<MySignIn>[] = [
  { key: "what", name: signInsText.what, cell: ({ kind, label }) => `${signInsText.kinds[kind]}: ${label}`, className: "[overflow-wrap:anywhere]" },
  { key: "since", name: signInsText.since, cell: ({ createdAt }) => <When at={createdAt} as="moment" /> },
  { key: "used", name: signInsText.used, cell: ({ lastUsedAt }) => <When at={lastUsedAt} as="moment" /> },
  { key: "until", name: signInsText.until, cell: ({ expiresAt }) => <When at={expiresAt} /> },
  { key: "action", name: signInsText.action, nameHidden: true, cell: (row) => <Action row={row} /> },
];

/** The browsers and programs that are signed in, each with a way to end it. */
function SignInsPart(): ReactNode {
  const signIns = useSignIns();
  return (
    <Section heading={signInsText.heading} lead={signInsText.lead}>
      <Answered query={signIns} words={accountStrings} skeleton={<SkeletonRows />}>
        {(answer) => (
          <DataTable caption={signInsText.caption} columns={COLUMNS} rows={answer.signIns} rowKey={({ id }) => id} narrow="stack" />
        )}
      </Answered>
    </Section>
  );
}

function Action({ row }: { row: MySignIn }): ReactNode {
  const revoke = useAccountChange((api, id: string) => api.revoke(id));
  if (row.this) return <Mark tone="ok">{signInsText.here}</Mark>;
  return (
    <Button
      look="quiet"
      aria-label={signInsText.revokeLabel(row.label)}
      disabled={revoke.isPending}
      onClick={() => {
        // The row is gone with the answer, and with it what `mutate` would have called.
        void revoke.mutateAsync(row.id).then(
          () => {
            notify(signInsText.done);
          },
          (error: unknown) => {
            notifyError(signInsText.failed, error);
          },
        );
      }}
    >
      {signInsText.revoke}
    </Button>
  );
}

const tokensText = accountStrings.tokens;
const DAYS = "365";

/** Makes a token for a program, and shows it once. */
function TokenPart(): ReactNode {
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
    <Section heading={tokensText.heading} lead={<Marked text={tokensText.lead} />}>
      <form onSubmit={submit} className="flex max-w-2xl flex-wrap items-end gap-4">
        <TextField
          label={tokensText.label}
          required
          className="grow"
          value={typed.label}
          onChange={(label) => {
            setTyped((before) => ({ ...before, label }));
          }}
        />
        <TextField
          label={tokensText.days}
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
          {tokensText.make}
        </Button>
      </form>
      <div className="mt-4">
        {make.error !== null && <FormError id="token-error" error={make.error} />}
        {make.data !== undefined && <SecretNotice title={tokensText.made} hint={tokensText.madeHint} secret={make.data.secret} />}
      </div>
    </Section>
  );
}
