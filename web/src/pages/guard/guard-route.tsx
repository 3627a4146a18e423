/** The pages behind the Guard door: heading and ways at once, each page when it is opened first. */

import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import { words } from "../../locale/words";
import { GUARD_PATHS } from "../../routes";
import { strings } from "../../strings";
import { DoorFrame } from "../../ui/door-frame";
import { late, type LatePage, LatePages, nothing } from "../../ui/late";
import { Marked } from "../../ui/marked";
import { useSetup } from "../../wire/hooks";
import { NotFoundPage } from "../not-found";

/** What is said around the pages behind the Guard door. */
export const guardRoute = words("guardRoute", {
  label: "Pages of Guard",
  pages: {
    decisions: "Decisions",
    graph: "Graph",
    guards: "Guards",
    orchestra: "Orchestra",
  },
  leads: {
    graph: "Every block, correction, approval and decision of your agents, and how they hang together.",
    guards: "What agents do wrong again and again becomes a guard, which proves itself before it may block.",
    orchestra: "Features are coded, tested and closed by agents, one handing over to the next.",
  },
});

type PageName = keyof typeof GUARD_PATHS;

const PAGES: Record<PageName, LatePage> = {
  decisions: late(() => import("./guard-page")),
  graph: late(() => import("./graph")),
  guards: late(() => import("./guards")),
  orchestra: late(() => import("../orchestra/orchestra-page")),
};
const NAMES = Object.keys(PAGES) as PageName[];

export function GuardRoute(): ReactNode {
  return (
    <LatePages
      paths={GUARD_PATHS}
      pages={PAGES}
      props={nothing}
      frame={(name, page) => <Frame name={name}>{page}</Frame>}
      notFound={<NotFoundPage />}
    />
  );
}

function Frame({ name, children }: { name: PageName; children: ReactNode }): ReactNode {
  const isFirst = name === "decisions";
  const door = useSetup().data?.doors.find(({ id }) => id === "guard");
  return (
    <DoorFrame
      door="guard"
      icon={ShieldCheck}
      heading={strings.doors.guard}
      page={isFirst ? undefined : guardRoute.pages[name]}
      lead={isFirst ? door?.audience : undefined}
      about={isFirst ? door !== undefined && <Marked text={door.summary} /> : guardRoute.leads[name]}
      ways={{
        label: guardRoute.label,
        ways: NAMES.map((each) => ({ name: guardRoute.pages[each], href: GUARD_PATHS[each] })),
        here: GUARD_PATHS[name],
      }}
    >
      {children}
    </DoorFrame>
  );
}
