/** The list of what waits, with ways to it. */

import { CheckCheck } from "lucide-react";
import type { ReactNode } from "react";

import { useOverlay } from "../keyboard/overlay";
import { Floating } from "../layout/floating";
import { noticeStrings as text } from "../strings-notices";
import { Answered } from "../ui/answered";
import { Button } from "../ui/button";
import { Empty } from "../ui/empty";
import { Marked } from "../ui/marked";
import { Skeleton } from "../ui/skeleton";
import type { Notices } from "../wire/generated";
import { AlertsSwitch } from "./alerts-switch";
import { BELL_ID } from "./bell";
import { NoticeRow } from "./notice-row";
import { useSeen } from "./seen";
import { useNotices, useUnseen } from "./use-notices";

export function NoticesPanel(): ReactNode {
  const query = useNotices();
  const unseen = useUnseen();
  const see = useSeen((store) => store.see);
  return (
    <Floating
      anchor={BELL_ID}
      label={text.title}
      side="bottom"
      className="w-[min(27rem,calc(100vw-1.5rem))] border border-line bg-card"
    >
      <div className="sticky top-0 z-10 flex min-h-14 items-center justify-between gap-3 border-b border-line bg-card px-5 py-2">
        <h2 className="text-lg whitespace-nowrap">{text.title}</h2>
        {unseen.length > 0 && (
          <Button
            look="quiet"
            className="-mr-2 border-transparent bg-transparent px-2 text-base whitespace-nowrap"
            onClick={() => {
              see(unseen.map(({ id }) => id));
            }}
          >
            <CheckCheck aria-hidden className="size-4 max-sm:hidden" />
            {text.markAll}
          </Button>
        )}
      </div>
      <Answered query={query} words={text} skeleton={<Skeleton className="m-5 h-24" />}>
        {(found) => <List found={found} now={query.dataUpdatedAt} />}
      </Answered>
      <div className="border-t border-line px-5 py-4">
        <AlertsSwitch />
      </div>
    </Floating>
  );
}

function List({ found, now }: { found: Notices; now: number }): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  return (
    <>
      {found.notices.length === 0 && found.problems.length === 0 && (
        <div className="p-5">
          <Empty title={text.empty} hint={text.emptyHint} />
        </div>
      )}
      <ul className="divide-y divide-line">
        {found.notices.map((notice) => (
          <li key={notice.id}>
            <NoticeRow notice={notice} now={now} onOpen={close} />
          </li>
        ))}
      </ul>
      {found.problems.length > 0 && (
        <div className="border-t border-line px-5 py-3 text-base">
          <p className="font-semibold text-warn">{text.problems}</p>
          <ul>
            {found.problems.map(({ source, message, hint }) => (
              <li key={source}>
                <Marked text={`${text.sources[source]}: ${message}. ${hint ?? ""}`} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}
