/** The box that searches a session: every place, one after the other, by mouse or keyboard. */

import "./find.css";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import type { KeyboardEvent, ReactNode } from "react";

import { planStrings } from "../../../../strings-plan";
import { IconButton } from "../../../../ui/button";
import { SearchField } from "../../../../ui/search-field";
import { FIND_ID, useFindBox } from "./find-box";
import type { Found } from "./find";

const text = planStrings.find;

interface FindBarProps {
  found: Found;
  at: number;
  /** Whether earlier messages are still being read. */
  isReading: boolean;
  step: (by: 1 | -1) => void;
  onClose: () => void;
}

export function FindBar({ found: { hits }, at, isReading, step, onClose }: FindBarProps): ReactNode {
  const words = useFindBox((box) => box.words);
  const stepByKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div
      data-unprinted
      data-find-bar
      className="flex flex-wrap items-center gap-x-1 border-b border-line bg-paper py-2 max-lg:sticky max-lg:top-27 max-lg:z-10 max-lg:-mx-4 max-lg:px-4 lg:px-6"
    >
      <div className="min-w-52 flex-1 max-sm:basis-full">
        <SearchField
          id={FIND_ID}
          label={text.label}
          labelHidden
          placeholder={text.label}
          clear={text.clear}
          about={text.hint}
          keys="Control+F"
          value={words}
          onChange={useFindBox.getState().type}
          onKeyDown={stepByKey}
        />
      </div>
      <p role="status" className="min-w-24 px-2 text-center text-base text-ink-soft tabular-nums max-sm:mr-auto max-sm:px-1 max-sm:text-left">
        {words.trim() !== "" && (at >= 0 ? text.count(at + 1, hits.length) : isReading ? text.reading : text.nothing)}
      </p>
      <IconButton
        label={text.previous}
        disabled={hits.length === 0}
        onClick={() => {
          step(-1);
        }}
      >
        <ChevronUp aria-hidden className="size-5" />
      </IconButton>
      <IconButton
        label={text.next}
        disabled={hits.length === 0}
        onClick={() => {
          step(1);
        }}
      >
        <ChevronDown aria-hidden className="size-5" />
      </IconButton>
      <IconButton label={text.close} onClick={onClose}>
        <X aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}
