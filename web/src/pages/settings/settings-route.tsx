/** The settings: heading and ways at once, each page when it is opened first. */

import { Settings } from "lucide-react";
import type { ReactNode } from "react";

import { words } from "../../locale/words";
import { SETTINGS_PATHS } from "../../routes";
import { strings } from "../../strings";
import { DoorFrame } from "../../ui/door-frame";
import { late, type LatePage, LatePages, nothing } from "../../ui/late";
import { NotFoundPage } from "../not-found";

/** The words around the settings pages, which are there before the pages are. */
export const settingsRoute = words("settingsRoute", {
  loading: "Fetching the page…",
  failed: "The page could not be fetched",
  failedHint: "Paige may have stopped or been updated. Try again when it answers.",
  label: "Pages of the settings",
  lead: "How Paige works for you",
  pages: {
    model: "Model",
    passcode: "Passcode",
    agents: "Agents",
    checks: "Checks",
    data: "Data",
  },
  leads: {
    model: "Who answers, with which key, and what happens when nobody does.",
    passcode: "Whether somebody who opens Paige has to know a word.",
    agents: "Where Paige is installed, with a preview of every change.",
    checks: "What works, what needs a look, and what to do about it.",
    data: "What Paige keeps on this machine, the sample, the tour, the language.",
  },
});

type PageName = keyof typeof SETTINGS_PATHS;

const PAGES: Record<PageName, LatePage> = {
  model: late(() => import("./model-page")),
  passcode: late(() => import("./passcode-page")),
  agents: late(() => import("./agents-page")),
  checks: late(() => import("./checks-page")),
  data: late(() => import("./data-page")),
};
const NAMES = Object.keys(PAGES) as PageName[];

export function SettingsRoute(): ReactNode {
  return (
    <LatePages
      paths={SETTINGS_PATHS}
      pages={PAGES}
      props={nothing}
      words={settingsRoute}
      frame={(name, page) => <Frame name={name}>{page}</Frame>}
      notFound={<NotFoundPage />}
    />
  );
}

function Frame({ name, children }: { name: PageName; children: ReactNode }): ReactNode {
  const isFirst = name === "model";
  return (
    <DoorFrame
      door="desk"
      icon={Settings}
      heading={strings.settings}
      page={isFirst ? undefined : settingsRoute.pages[name]}
      lead={isFirst ? settingsRoute.lead : undefined}
      about={settingsRoute.leads[name]}
      ways={{
        label: settingsRoute.label,
        ways: NAMES.map((each) => ({ name: settingsRoute.pages[each], href: SETTINGS_PATHS[each] })),
        here: SETTINGS_PATHS[name],
      }}
    >
      {children}
    </DoorFrame>
  );
}
