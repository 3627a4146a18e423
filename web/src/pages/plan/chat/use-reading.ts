/** The place of a reader in a conversation, as a React hook. */

import { type RefObject, useEffect, useRef, useState } from "react";

import { ReadingPlace } from "./reading-place";

interface Reading {
  pane: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  place: ReadingPlace;
  isAtEnd: boolean;
  /** Whether something came below while somebody read above. */
  hasNews: boolean;
}

/** `newest` changes with everything that is new at the end. */
export function useReading(newest: string): Reading {
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [place] = useState(() => new ReadingPlace(setIsAtEnd));
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  useEffect(() => {
    if (pane.current === null || content.current === null) return;
    return place.attach(pane.current, content.current);
  }, [place]);
  return { pane, content, place, isAtEnd, hasNews: !isAtEnd && seen !== newest };
}
