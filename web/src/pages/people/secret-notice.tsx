/** A secret that is shown this once: a token, or a password that was made up. */

import type { ReactNode } from "react";

import { locale } from "../../locale/words";
import { CommandText } from "../../ui/data/facts";
import { Notice } from "../../ui/section";

export function SecretNotice({ title, hint, secret }: { title: string; hint: string; secret: string }): ReactNode {
  return (
    <Notice tone="ok" title={title} isUrgent>
      <p className="mb-2">{hint}</p>
      <CommandText text={secret} />
    </Notice>
  );
}

const DOLLARS = new Intl.NumberFormat(locale(), { style: "currency", currency: "USD" });

/** Money as the pages about accounts write it. */
export function dollars(usd: number): string {
  return DOLLARS.format(usd);
}
