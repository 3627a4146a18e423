/** Words letter for letter under a name; long ones scroll in their place, by the keyboard too. */

import { type ReactNode, useId } from "react";

interface LettersProps {
  name: ReactNode;
  words: string;
  /** Set as code, not as text. */
  isCode?: boolean;
  note?: ReactNode;
}

export function Letters({ name, words, isCode = true, note }: LettersProps): ReactNode {
  const id = useId();
  return (
    <div className="mt-4">
      <p id={id} className="font-semibold">
        {name}
      </p>
      <div
        // A box that scrolls has to be reached by the keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-labelledby={id}
        className="mt-1 max-h-80 overflow-auto rounded bg-line/50 px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {isCode ? <code className="text-[0.9em]">{words}</code> : words}
      </div>
      {note}
    </div>
  );
}
