/** Long lists: how many of them are shown, and the button for more. */

import { type ReactNode, useState } from "react";

import { Button } from "../button";

/** How many are shown of what `key` stands for; another question begins with few again. */
export function useShown(key: string, first: number, most: number): [shown: number, showMore: (() => void) | null] {
  const [state, setState] = useState({ key, shown: first });
  const shown = state.key === key ? state.shown : first;
  const showMore = (): void => {
    setState({ key, shown: Math.min(shown * 2, most) });
  };
  return [shown, shown < most ? showMore : null];
}

interface ShowMoreProps {
  words: string;
  isBusy: boolean;
  onMore: () => void;
}

export function ShowMore({ words, isBusy, onMore }: ShowMoreProps): ReactNode {
  return (
    <Button data-unprinted look="quiet" className="mt-4" disabled={isBusy} onClick={onMore}>
      {words}
    </Button>
  );
}
