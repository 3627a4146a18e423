/** One thing that waits: whose door, what about, since when, and the way there. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { DOOR_ROUTES, MEMORY_ROUTE } from "../routes";
import { noticeStrings as text } from "../strings-notices";
import type { Notice } from "../wire/generated";
import { Ago } from "./ago";
import { useSeen } from "./seen";
import { saidOf } from "./telling";

interface NoticeRowProps {
  notice: Notice;
  /** When the list was read. */
  now: number;
  onOpen: () => void;
}

export function NoticeRow({ notice, now, onOpen }: NoticeRowProps): ReactNode {
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
