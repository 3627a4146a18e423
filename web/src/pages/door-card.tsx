/** A door as an exercise book on the table: a cover in its colour, a label, a few words. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { DOOR_ROUTES } from "../routes";
import { Marked } from "../ui/marked";
import type { Door } from "../wire/generated";

export function DoorCard({ door }: { door: Door }): ReactNode {
  const route = DOOR_ROUTES.find(({ door: id }) => id === door.id);
  if (route === undefined) return null;
  const Icon = route.icon;
  return (
    <li data-door={door.id} className="flex">
      <Link
        href={route.path}
        className="cover group flex w-full flex-col gap-4 py-5 pr-5 pl-9 transition-[translate,box-shadow] hover:-translate-y-0.5 hover:shadow-lg"
      >
        <span className="label flex items-center gap-4 px-5 py-4">
          <Icon aria-hidden className="size-7 shrink-0 text-door-ink" />
          <span>
            <span className="block font-heading text-xl font-semibold group-hover:underline">{door.title}</span>
            <span className="block text-base text-ink-soft">{door.audience}</span>
          </span>
        </span>
        <Marked text={door.summary} />
      </Link>
    </li>
  );
}
