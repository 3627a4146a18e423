/** Oneself: who one is, one's password, where one is signed in, tokens for programs. */

import type { ReactNode } from "react";

import { useMe } from "../../api/accounts-hooks";
import { byName } from "../../locale/words";
import { accountStrings } from "../../strings-accounts";
import { Answered } from "../../ui/answered";
import { Fact, Facts } from "../../ui/facts";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import type { AboutMe, SpendState } from "../../wire/generated";
import { dollars } from "./dollars";
import { PasswordPart } from "./password-part";
import { SignInsPart } from "./sign-ins-part";
import { TokenPart } from "./token-part";

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
