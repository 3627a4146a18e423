/** A button that reads like a link: it leads to another memory. */

import type { ReactNode } from "react";

export function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }): ReactNode {
  return (
    <button type="button" onClick={onClick} className="text-left text-accent underline underline-offset-2 hover:text-accent-strong">
      {children}
    </button>
  );
}
