/** Shows the tour while one is on; its card is fetched then. */

import type { ReactNode } from "react";

import { late, useLate } from "../ui/late";
import { useTour } from "./tour-store";

const CARD = late(() => import("./tour-card"));

export function Tour(): ReactNode {
  const step = useTour((tour) => tour.step);
  return step === null ? null : <Fetched step={step} />;
}

/** A card that cannot be fetched is no harm: whoever wants the tour starts it again. */
function Fetched({ step }: { step: number }): ReactNode {
  const { part } = useLate(CARD);
  return part === null ? null : <part.TourCard step={step} />;
}
