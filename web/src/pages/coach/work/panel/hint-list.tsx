/** The hints of the file in front as a list: the same as in the editor, for the keyboard and for readers. */

import { type ReactNode, useState } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useCoachActions } from "../../state/actions";
import { showsLines, useDecorations, useHints } from "../../state/hints";
import { PanelSection, SmallButton } from "./panel-section";

const text = coachStrings.hints;
/** More than these are behind a button. */
const FEW = 6;

export function HintList({ path }: { path: string }): ReactNode {
  const hints = useDecorations(path);
  const isOn = useHints(showsLines);
  const [most, setMost] = useState(FEW);
  const { openFile } = useCoachActions();
  const sorted = [...hints].sort((one, other) => one.start - other.start);
  return (
    <PanelSection title={text.heading} aside={hints.length > 0 && <p className="text-base text-ink-soft">{text.count(hints.length)}</p>}>
      {hints.length === 0 && <p className="text-ink-soft">{isOn ? text.empty : text.off}</p>}
      <ul className="flex flex-col gap-1">
        {sorted.slice(0, most).map(({ start, end, style, hoverText }, at) => (
          <li key={`${start}-${end}-${at}`}>
            <button
              type="button"
              onClick={() => {
                openFile(path, start);
              }}
              className="-mx-2 block w-[calc(100%+1rem)] rounded-md px-2 py-1 text-left hover:bg-line/50"
            >
              <span className="text-base font-semibold text-door-ink">
                {text.lines(start, end)} · {text.styles[style] ?? style}
              </span>
              <span className="block">{hoverText ?? text.noWords}</span>
            </button>
          </li>
        ))}
      </ul>
      {hints.length > most && (
        <SmallButton
          className="mt-2"
          onClick={() => {
            setMost(hints.length);
          }}
        >
          {text.more(hints.length - most)}
        </SmallButton>
      )}
    </PanelSection>
  );
}
