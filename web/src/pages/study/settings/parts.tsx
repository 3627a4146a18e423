/** A part of the settings. */

import type { ReactNode } from "react";

import { Section } from "../../../ui/section";

export function Part({ heading, lead, children }: { heading: string; lead?: string; children: ReactNode }): ReactNode {
  return (
    <Section heading={heading} {...(lead === undefined ? {} : { lead })} className="border-t border-rule pt-6">
      <div className="flex flex-col gap-5">{children}</div>
    </Section>
  );
}
