/**
 * A step of the tour: a card beside the page, not over it. The page stays usable; Escape ends the tour while the
 * focus is in the card, and the focus goes back to the page.
 */

import { ArrowLeft, ArrowRight, Check, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { useLocation } from "wouter";

import { Button, IconButton } from "../ui/button";
import { Marked } from "../ui/marked";
import { notify } from "../ui/toasts";
import { focusHeading } from "./page";
import { tourStrings } from "./strings-tour";
import { type StepName, STEPS, useTour } from "./tour";

const text = tourStrings;
const PLACES: Record<StepName, { path: string; door: string }> = {
  plan: { path: "/plan", door: "plan" },
  study: { path: "/study", door: "study" },
  coach: { path: "/coach", door: "coach" },
  guard: { path: "/guard", door: "guard" },
  more: { path: "/", door: "desk" },
};

export function TourCard({ step }: { step: number }): ReactNode {
  const name = STEPS[step] ?? "plan";
  const { title, words } = text.steps[name];
  const { goTo, end } = useTour.getState();
  const ids = { title: useId(), words: useId() };
  const next = useStepShown(name);
  const leave = (): void => {
    end();
    notify(text.ended);
    focusHeading();
  };
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === "Escape") leave();
  };
  const isLast = step === STEPS.length - 1;
  return (
    // Escape is a way out for the keyboard; the buttons inside are what is used.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      data-unprinted
      data-tour
      data-door={PLACES[name].door}
      aria-labelledby={ids.title}
      onKeyDown={closeOnEscape}
      className={
        "fixed inset-x-3 bottom-20 z-30 max-h-[45dvh] overflow-auto rounded-xl border border-l-8 border-line border-l-spine bg-card p-4 shadow-2xl " +
        "sm:left-auto sm:w-96 sm:p-5 md:right-5 md:bottom-5"
      }
    >
      <p className="text-base text-ink-soft">{text.place(step + 1, STEPS.length)}</p>
      <h2 id={ids.title} className="mt-0.5 pr-10 text-xl">
        {title}
      </h2>
      <IconButton label={text.end} onClick={leave} className="absolute top-2 right-2 text-ink-soft hover:bg-line hover:text-ink">
        <X aria-hidden className="size-5" />
      </IconButton>
      <p id={ids.words} className="mt-2 text-base">
        <Marked text={words} />
      </p>
      <div className="mt-4 flex flex-wrap justify-between gap-2">
        {step > 0 ? (
          <Button
            look="quiet"
            onClick={() => {
              goTo(step - 1);
            }}
          >
            <ArrowLeft aria-hidden className="size-4" />
            {text.back}
          </Button>
        ) : (
          <Button look="quiet" onClick={leave}>
            {text.skip}
          </Button>
        )}
        <Button
          ref={next}
          aria-describedby={`${ids.title} ${ids.words}`}
          onClick={() => {
            if (isLast) leave();
            else goTo(step + 1);
          }}
        >
          {isLast ? text.done : text.next}
          {isLast ? <Check aria-hidden className="size-4" /> : <ArrowRight aria-hidden className="size-4" />}
        </Button>
      </div>
    </aside>
  );
}

/** A new step shows its page, and the focus waits at the way on. A page that is loaded again stays where it is. */
function useStepShown(name: StepName): RefObject<HTMLButtonElement | null> {
  const next = useRef<HTMLButtonElement>(null);
  const [, navigate] = useLocation();
  useEffect(() => {
    const { step, arrived, arrive } = useTour.getState();
    if (step === arrived) return;
    arrive();
    navigate(PLACES[name].path);
    // After the page has taken the focus to its heading, as every page does that a link leads to.
    const timer = setTimeout(() => next.current?.focus({ preventScroll: true }), 0);
    return () => {
      clearTimeout(timer);
    };
  }, [name, navigate]);
  return next;
}
