/** The sheet of paper that the one thing on screen stands on. */

import type { ComponentProps, ReactNode } from "react";

export function Sheet(props: Omit<ComponentProps<"section">, "className">): ReactNode {
  return <section {...props} className="study-arrive rounded-2xl border border-line bg-card px-5 py-6 shadow-xs sm:px-8 sm:py-8" />;
}
