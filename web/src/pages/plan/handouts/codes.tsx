/** The codes of a handout as strips to print, cut and give out. */

import type { ReactNode } from "react";

import { handoutStrings } from "../../../strings-handouts";
import { PrintButton } from "../../../ui/print-button";
import { Section } from "../../../ui/section";
import { formatMoment } from "../../../ui/when";
import type { HandoutSeen } from "../../../wire/generated";

const text = handoutStrings.codes;

export function Codes({ seen }: { seen: HandoutSeen }): ReactNode {
  return (
    <Section heading={text.heading} lead={text.lead} aside={<PrintButton words={text.print} />}>
      <ul className="grid gap-px sm:grid-cols-2">
        {seen.codes.map((code) => (
          <li key={code} className="border border-dashed border-edge p-4">
            <p>{seen.item.title}</p>
            <p className="font-mono text-xl font-semibold">{code}</p>
            <p className="text-base break-all">{`${window.location.origin}/answer/${code}`}</p>
            <p className="text-base text-ink-soft">
              {handoutStrings.seen.openUntil(formatMoment(seen.item.closesAt))}. {text.noName}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
