/**
 * Which row of the palette is chosen. The first one, until somebody moves: what is found comes later than what is
 * typed, and Enter should open the best of what is shown then.
 */

import { type KeyboardEvent, useRef, useState } from "react";

const MOVING = ["ArrowDown", "ArrowUp", "Home", "End", "Tab"];

interface Choosing {
  value: string;
  onValueChange: (value: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onPointerMove: () => void;
  /** Something was typed: the first row is chosen again. */
  startOver: () => void;
}

export function useChoosing(first: string): Choosing {
  const [chosen, setChosen] = useState<string | null>(null);
  const hasMoved = useRef(false);
  return {
    value: chosen ?? first,
    onValueChange: (value) => {
      if (hasMoved.current) setChosen(value);
    },
    onKeyDown: ({ key }) => {
      if (MOVING.includes(key)) hasMoved.current = true;
    },
    onPointerMove: () => {
      hasMoved.current = true;
    },
    startOver: () => {
      hasMoved.current = false;
      setChosen(null);
    },
  };
}
