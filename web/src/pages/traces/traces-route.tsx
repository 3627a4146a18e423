/** The pages about runs: heading and ways at once, each page when it is opened first. */

import { Activity } from "lucide-react";
import type { ReactNode } from "react";

import { words } from "../../locale/words";
import { TRACES_PATHS } from "../../routes";
import { strings } from "../../strings";
import { DoorFrame } from "../../ui/door-frame";
import { late, type LatePage, LatePages } from "../../ui/late";
import { NotFoundPage } from "../not-found";

/** The texts that stand before a page about runs has come. */
export const tracesRoute = words("tracesRoute", {
  label: "Pages about runs",
  pages: { runs: "Runs", costs: "Costs", run: "One run" },
  about: {
    runs: "What agents did in every run: how long each step took, what it cost, what the model read and said.",
    costs: "What models cost, day by day, by model, by door and by what they were asked for.",
    run: "",
  },
  loading: "Opening the page…",
  failed: "The page could not be opened",
  failedHint: "Paige may have stopped or been updated. Try again, or reload the page.",
});

type PageName = keyof typeof TRACES_PATHS;

const PAGES: Record<PageName, LatePage<{ id: string }>> = {
  runs: late(() => import("./list")),
  costs: late(() => import("./costs")),
  run: late(() => import("./run")),
};
const WAYS = (["runs", "costs"] as const).map((name) => ({ name: tracesRoute.pages[name], href: TRACES_PATHS[name] }));

export function TracesRoute(): ReactNode {
  return (
    <LatePages
      paths={TRACES_PATHS}
      pages={PAGES}
      props={({ id }) => ({ id: id ?? "" })}
      words={tracesRoute}
      frame={(name, page) => <Frame name={name}>{page}</Frame>}
      notFound={<NotFoundPage />}
    />
  );
}

function Frame({ name, children }: { name: PageName; children: ReactNode }): ReactNode {
  return (
    <DoorFrame
      door="desk"
      icon={Activity}
      heading={strings.traces}
      page={name === "runs" ? undefined : tracesRoute.pages[name]}
      about={name === "run" ? undefined : tracesRoute.about[name]}
      ways={{ label: tracesRoute.label, ways: WAYS, here: name === "run" ? null : TRACES_PATHS[name] }}
    >
      {children}
    </DoorFrame>
  );
}
