/** Before anything is searched: what can be found. */

import type { ReactNode } from "react";

import { DOOR_ROUTES, MEMORY_ROUTE } from "../routes";
import { findingStrings } from "../strings-finding";

const text = findingStrings.teach;

const ROWS = [
  ...DOOR_ROUTES.map(({ door, icon, title }) => ({ door, icon, title, holds: text[door] })),
  { door: "desk", icon: MEMORY_ROUTE.icon, title: MEMORY_ROUTE.title, holds: text.memory },
];

export function TeachSearch(): ReactNode {
  return (
    <section className="mt-8">
      <h2 className="text-xl">{text.heading}</h2>
      <p className="mt-2 text-ink-soft">{text.lead}</p>
      <ul className="mt-5 flex flex-col gap-4">
        {ROWS.map(({ door, icon: Icon, title, holds }) => (
          <li key={title} data-door={door} className="flex items-start gap-3.5">
            <span className="mt-0.5 grid size-9 shrink-0 place-items-center rounded-md bg-cover text-door-ink">
              <Icon aria-hidden className="size-5" />
            </span>
            <div>
              <p className="font-semibold">{title}</p>
              <p className="text-ink-soft">{holds}</p>
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-ink-soft">{text.keys}</p>
    </section>
  );
}
