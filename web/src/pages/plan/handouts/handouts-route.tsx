/** The pages about handouts behind the Plan door: the frame at once, each page when it is opened first. */

import { FileCheck } from "lucide-react";
import type { ReactNode } from "react";

import { DOOR_ROUTES, HANDOUT_PATHS } from "../../../routes";
import { BackLink } from "../../../ui/button";
import { DoorFrame } from "../../../ui/door-frame";
import { late, type LatePage, LatePages } from "../../../ui/late";
import { NotFoundPage } from "../../not-found";
import { handoutStrings as text } from "./strings";

type PageName = keyof typeof HANDOUT_PATHS;

const PAGES: Record<PageName, LatePage<{ id: string }>> = {
  list: late(() => import("./list-page")),
  one: late(() => import("./handout-page")),
};

export function HandoutsRoute(): ReactNode {
  return (
    <LatePages
      paths={HANDOUT_PATHS}
      pages={PAGES}
      props={({ id }) => ({ id: id ?? "" })}
      words={text}
      frame={(name, page) => (
        <DoorFrame door="plan" icon={FileCheck} heading={text.heading} lead={text.lead} isSmall={name === "one"}>
          <div className="mt-4">
            {name === "list" ? (
              <BackLink href={DOOR_ROUTES[0].path}>{text.toPlan}</BackLink>
            ) : (
              <BackLink href={HANDOUT_PATHS.list}>{text.back}</BackLink>
            )}
          </div>
          {page}
        </DoorFrame>
      )}
      notFound={<NotFoundPage />}
    />
  );
}
