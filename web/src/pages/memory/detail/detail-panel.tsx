/** The open memory: beside the list where there is room, over it where there is not. */

import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { strings } from "../../../strings";
import { IconButton } from "../../../ui/button";
import { Dialog } from "../../../ui/dialog";
import { useMediaQuery } from "../../../ui/media";
import type { MemoryResult } from "../../../wire/generated";
import { focusSearch } from "../go-to-search";
import { rowId } from "../memories/memory-row";
import { Detail } from "./detail";

const text = strings.memory.detail;
const WIDE = "(min-width: 64rem)";

export interface DetailPanelProps {
  id: string;
  /** The memory as a search found it; null when it was opened in another way. */
  result: MemoryResult | null;
  onClose: () => void;
  onGo: (id: string) => void;
}

export function DetailPanel(props: DetailPanelProps): ReactNode {
  const isWide = useMediaQuery(WIDE);
  const { id, onClose } = props;
  if (isWide) return <Aside {...props} />;
  return (
    <Dialog
      title={text.heading}
      description={text.description}
      onClose={onClose}
      onClosed={() => {
        focusRow(id);
      }}
    >
      <div className="px-6 pt-4 pb-6">
        <Detail {...props} />
      </div>
    </Dialog>
  );
}

function Aside(props: DetailPanelProps): ReactNode {
  const { id, onClose } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  const close = (): void => {
    onClose();
    focusRow(id);
  };
  useEscape(close);
  return (
    <aside
      aria-labelledby="memory-detail-heading"
      className="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-auto rounded-xl border border-line bg-card"
    >
      <div className="sticky top-0 z-10 flex items-center justify-between bg-card py-2 pr-2 pl-5">
        <h2 id="memory-detail-heading" ref={heading} tabIndex={-1} className="text-xl outline-none">
          {text.heading}
        </h2>
        <IconButton label={strings.close} onClick={close}>
          <X aria-hidden className="size-5" />
        </IconButton>
      </div>
      <div className="px-5 pb-5">
        <Detail {...props} onClose={close} />
      </div>
    </aside>
  );
}

/** Where one was before; a row that is gone leaves its place to the search. */
function focusRow(id: string): void {
  requestAnimationFrame(() => {
    const row = document.getElementById(rowId(id));
    if (row === null) focusSearch();
    else row.focus();
  });
}

function useEscape(close: () => void): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const isElsewhere = document.querySelector("[role=dialog], [role=alertdialog]") !== null;
      if (event.key === "Escape" && !isElsewhere) latest.current();
    };
    window.addEventListener("keydown", handle);
    return () => {
      window.removeEventListener("keydown", handle);
    };
  }, []);
}
