/** Prints the page, or makes a PDF of it: browsers do both. */

import { Printer } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "./button";
import { uiStrings } from "./strings";

export function PrintButton({ words = uiStrings.print }: { words?: string }): ReactNode {
  return (
    <Button
      look="quiet"
      data-unprinted
      onClick={() => {
        window.print();
      }}
    >
      <Printer aria-hidden className="size-4" />
      {words}
    </Button>
  );
}
