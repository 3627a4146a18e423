/** The pages about accounts: heading and ways at once, each page when it is opened first. */

import { UserRound } from "lucide-react";
import type { ReactNode } from "react";

import { ACCOUNT_PATHS } from "../../routes";
import { DoorFrame } from "../../ui/door-frame";
import { late, type LatePage, LatePages, nothing } from "../../ui/late";
import { useSession } from "../../wire/hooks";
import { accountOf, mayDo } from "../../wire/session-cache";
import { NotFoundPage } from "../not-found";
import { accountsRoute } from "./strings-route";

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
