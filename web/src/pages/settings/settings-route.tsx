/** The settings: heading and ways at once, each page when it is opened first. */

import { Settings } from "lucide-react";
import type { ReactNode } from "react";

import { SETTINGS_PATHS } from "../../routes";
import { strings } from "../../strings";
import { settingsRoute } from "../../strings-settings-route";
import { DoorFrame } from "../../ui/door-frame";
import { late } from "../../ui/late";
import { type LatePage, LatePages, nothing } from "../../ui/late-pages";
import { NotFoundPage } from "../not-found";

type PageName = keyof typeof SETTINGS_PATHS;

const PAGES: Record<PageName, LatePage> = {
  model: late(() => import("./model/model-page")),
  passcode: late(() => import("./passcode/passcode-page")),
  agents: late(() => import("./agents-page")),
  checks: late(() => import("./checks-page")),
  data: late(() => import("./data/data-page")),
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
