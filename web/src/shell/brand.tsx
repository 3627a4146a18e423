/** The name of the product beside its little exercise book. */

import type { ReactNode } from "react";

import { strings } from "../strings";

export function Brand(): ReactNode {
  return (
    <span className="flex items-center gap-2.5 font-heading text-xl font-semibold">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      {strings.brand}
    </span>
  );
}
