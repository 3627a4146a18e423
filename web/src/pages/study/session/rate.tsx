/** Four buttons to say how well one knew something, by pointer or by the keys 1 to 4. */

import { type ReactNode, useEffect, useRef } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { useKeys } from "./keys";

const LOOKS = {
  1: "border-fail/60 hover:border-fail",
  2: "border-warn/60 hover:border-warn",
  3: "border-ok/60 hover:border-ok",
  4: "border-accent/60 hover:border-accent",
};

type Rating = keyof typeof LOOKS;

interface RateProps {
  label: string;
  isBusy: boolean;
  onRate: (rating: Rating) => void;
  names?: readonly string[];
  /** Whether the focus goes there at once, as after a card was turned. */
  isNext?: boolean;
}

export function Rate({ label, isBusy, onRate, names, isNext = false }: RateProps): ReactNode {
  const rate = (rating: Rating) => () => {
    if (!isBusy) onRate(rating);
  };
  useKeys({ "1": rate(1), "2": rate(2), "3": rate(3), "4": rate(4) });
  const group = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isNext) group.current?.focus({ preventScroll: true });
  }, [isNext]);
  return (
    <div ref={group} role="group" aria-label={label} tabIndex={-1} className="mt-6 outline-none">
      <p className="font-semibold">{label}</p>
      <div className="mt-2 grid grid-cols-2 gap-2 sm:grid-cols-4">
        {text.ratings.map(({ rating, name, hint }, place) => (
          <button
            key={rating}
            type="button"
            aria-keyshortcuts={String(rating)}
            aria-disabled={isBusy}
            onClick={rate(rating)}
            className={`flex min-h-16 flex-col items-center justify-center rounded-lg border-2 bg-card px-2 py-2 text-center transition-colors hover:bg-paper ${LOOKS[rating]}`}
          >
            <span className="font-semibold">
              <kbd className="mr-1.5 font-sans text-base font-normal text-ink-soft">{rating}</kbd>
              {names?.[place] ?? name}
            </span>
            {names === undefined && <span className="text-base text-ink-soft">{hint}</span>}
          </button>
        ))}
      </div>
    </div>
  );
}
