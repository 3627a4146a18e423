/** For whoever comes first: what a session is, in three steps. */

import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import { Section } from "../../../ui/section";

const text = studyStrings.today;

export function HowItWorks(): ReactNode {
  return (
    <Section heading={text.howHeading} className="">
      <ol className="grid gap-5 sm:grid-cols-3">
        {text.how.map(({ title, text: words }, place) => (
          <li key={title} className="border-t-4 border-spine pt-3">
            <p className="font-heading text-lg font-semibold">
              <span aria-hidden className="mr-2 text-door-ink">
                {place + 1}
              </span>
              {title}
            </p>
            <p className="mt-1 text-ink-soft">{words}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
