/** The list of what waits, with ways to it. */

import { clsx } from "clsx";
import { CheckCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import { locale } from "../../locale/words";
import { DOOR_ROUTES, MEMORY_ROUTE } from "../../routes";
import { Button } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { formatMoment } from "../../ui/data/when";
import { Toggle } from "../../ui/forms/choice";
import { Marked } from "../../ui/marked";
import { Skeleton } from "../../ui/skeleton";
import type { Notice, Notices } from "../../wire/generated";
import { Floating } from "../floating";
import { useOverlay } from "../overlay";
import { type Allowed, allowed, switchOn, useAlerts, useSeen } from "./alerts";
import { BELL_ID, saidOf, useNotices, useUnseen } from "./bell";
import { noticeStrings as text, noticeStrings } from "./strings";

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

interface NoticeRowProps {
  notice: Notice;
  /** When the list was read. */
  now: number;
  onOpen: () => void;
}

/** One thing that waits: whose door, what about, since when, and the way there. */
function NoticeRow({ notice, now, onOpen }: NoticeRowProps): ReactNode {
  const { seen, see } = useSeen();
  const isNew = !seen.includes(notice.id);
  const { icon: Icon, title: door } = DOOR_ROUTES.find((route) => route.door === notice.door) ?? MEMORY_ROUTE;
  const { title, what } = saidOf(notice);
  return (
    <Link
      href={notice.link}
      data-door={notice.door}
      onClick={() => {
        see([notice.id]);
        onOpen();
      }}
      className="flex items-start gap-3.5 px-5 py-3.5 -outline-offset-3 transition-colors hover:bg-paper"
    >
      <span className="mt-0.5 grid size-9 shrink-0 place-items-center rounded-md bg-cover text-door-ink">
        <Icon aria-hidden className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className={clsx("line-clamp-2 leading-snug", isNew && "font-semibold")}>
          <span className="sr-only">{door}: </span>
          {title}
        </span>
        <span className="mt-0.5 line-clamp-2 text-base leading-snug text-ink-soft">{what}</span>
        {notice.since !== null && (
          <span className="mt-0.5 block text-sm text-ink-soft">
            <Ago at={notice.since} now={now} />
          </span>
        )}
      </span>
      {isNew && (
        <span className="mt-2 size-2.5 shrink-0 rounded-full bg-accent">
          <span className="sr-only">{text.isNew}</span>
        </span>
      )}
    </Link>
  );
}

const STEPS = [
  { unit: "month", ms: 30.44 * 86_400_000 },
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

/** How long ago something was, in words; the moment itself is in the tooltip. */
function formatAgo(at: string, now: number): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const passed = now - new Date(at).getTime();
  const step = STEPS.find(({ ms }) => Math.abs(passed) >= ms);
  return step === undefined ? format.format(0, "second") : format.format(-Math.round(passed / step.ms), step.unit);
}

function Ago({ at, now }: { at: string; now: number }): ReactNode {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatAgo(at, now)}
    </time>
  );
}

const alertsText = noticeStrings.alerts;
const HINTS: Record<Allowed, string> = { yes: alertsText.hint, ask: alertsText.hint, no: alertsText.denied, missing: alertsText.missing };

/** The switch for notifications of the browser. */
function AlertsSwitch(): ReactNode {
  const { isOn, setOn } = useAlerts();
  const [may, setMay] = useState<Allowed>(allowed);
  return (
    <Toggle
      label={alertsText.label}
      hint={HINTS[may]}
      isOn={isOn && may === "yes"}
      disabled={may === "missing" || may === "no"}
      onToggle={(wanted) => {
        if (wanted) void switchOn().then(setMay);
        else setOn(false);
      }}
    />
  );
}
