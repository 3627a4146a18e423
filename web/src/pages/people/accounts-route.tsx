/** The pages about accounts: heading and ways at once, each page when it is opened first. */

import { UserRound } from "lucide-react";
import type { ReactNode } from "react";

import { words } from "../../locale/words";
import { ACCOUNT_PATHS } from "../../routes";
import { DoorFrame } from "../../ui/door-frame";
import { late, type LatePage, LatePages, nothing } from "../../ui/late";
import { useSession } from "../../wire/hooks";
import { accountOf, mayDo } from "../../wire/session-cache";
import { NotFoundPage } from "../not-found";

type PageName = keyof typeof ACCOUNT_PATHS;

const PAGES: Record<PageName, LatePage> = {
  you: late(() => import("./you-page")),
  people: late(() => import("./people-page")),
  audit: late(() => import("./audit-page")),
};
const NAMES = Object.keys(PAGES) as PageName[];

/** Where there are no accounts, there are no such pages. */
export function AccountsRoute(): ReactNode {
  const session = useSession();
  if (accountOf(session.data) === null) return <NotFoundPage />;
  return (
    <LatePages
      paths={ACCOUNT_PATHS}
      pages={PAGES}
      props={nothing}
      words={accountsRoute}
      frame={(name, page) => <Frame name={name}>{page}</Frame>}
      notFound={<NotFoundPage />}
    />
  );
}

function Frame({ name, children }: { name: PageName; children: ReactNode }): ReactNode {
  const session = useSession();
  const open = NAMES.filter((each) => each === "you" || mayDo(session.data, each));
  return (
    <DoorFrame
      door="desk"
      icon={UserRound}
      heading={accountsRoute.you}
      page={name === "you" ? undefined : accountsRoute.pages[name]}
      lead={accountOf(session.data)?.person?.name}
      about={accountsRoute.leads[name]}
      ways={{
        label: accountsRoute.label,
        ways: open.map((each) => ({ name: accountsRoute.pages[each], href: ACCOUNT_PATHS[each] })),
        here: ACCOUNT_PATHS[name],
      }}
    >
      {children}
    </DoorFrame>
  );
}

// The words around the pages about accounts, and of signing in, which are there before the pages are.

export const accountsRoute = words("accountsRoute", {
  you: "You",
  loading: "Fetching the page…",
  failed: "The page could not be fetched",
  failedHint: "Paige may have stopped or been updated. Try again when it answers.",
  label: "Pages about accounts",
  pages: { you: "You", people: "People", audit: "Audit log" },
  leads: {
    you: "Your password, where you are signed in, and tokens for your programs.",
    people: "Who may come in, what they may do, and what they may spend.",
    audit: "Who did what, the newest first. Nothing here is ever changed.",
  },
  signIn: {
    lead: "Sign in with the account that an admin made for you.",
    name: "Name or e-mail",
    password: "Password",
    provider: (host: string) => `Sign in with ${host}`,
    or: "or",
    problem: "You are not signed in",
    problems: {
      sign_in_expired: "Signing in took too long, or was begun in another browser. Begin again.",
      not_vouched: "What the other side said about you cannot be trusted. Begin again, or ask an admin.",
      refused: "You are known, but you may not come in. Ask an admin for a role.",
      conflict: "Somebody else signs in with your e-mail address. Ask an admin.",
      unavailable: "The other side does not answer. Try again in a moment.",
      failed: "Something went wrong on the way. Begin again, or ask an admin.",
    },
  },
});
