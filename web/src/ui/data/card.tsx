/** A sheet that lies on the page. */

import { clsx } from "clsx";
import type { HTMLAttributes, ReactNode } from "react";

interface CardProps extends HTMLAttributes<HTMLElement> {
  as?: "div" | "section" | "article" | "li";
  /** With the colour of the door on its left edge. */
  isMarked?: boolean;
}

export function Card({ as: Element = "div", isMarked = false, className, ...rest }: CardProps): ReactNode {
  return (
    <Element
      {...rest}
      className={clsx("rounded-lg border border-line bg-card p-5", isMarked && "border-l-4 border-l-spine", className)}
    />
  );
}
