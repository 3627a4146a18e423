/** What was wrong with a form, under the field it is about. */

import { CircleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { hintOf } from "../../wire/errors";
import { Marked } from "../marked";

export function FormError({ id, error }: { id: string; error: Error }): ReactNode {
  const hint = hintOf(error);
  return (
    <div id={id} role="alert" className="flex gap-2">
      <CircleAlert aria-hidden className="mt-1 size-5 shrink-0 text-fail" />
      <div>
        <Marked className="block font-semibold text-fail" text={error.message} />
        {hint !== null && <Marked className="block text-ink-soft" text={hint} />}
      </div>
    </div>
  );
}
