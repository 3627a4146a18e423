/** The command palette: every page and command, found by typing, and below them everything the person has. */

import { Command } from "cmdk";
import { type ReactNode, useState } from "react";

import { returnFocus, useOverlay } from "../keyboard/overlay";
import { strings } from "../strings";
import { Dialog } from "../ui/dialog";
import { type PaletteAction, usePaletteGroups } from "./actions";
import { useChoosing } from "./choosing";
import { firstFound, Found, FoundStatus, usePaletteHits } from "./found";
import { GROUP, ITEM } from "./looks";
import { narrowed } from "./narrowed";

export function Palette(): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  const [typed, setTyped] = useState("");
  const groups = narrowed(usePaletteGroups(typed.trim() !== ""), typed);
  const hits = usePaletteHits(typed);
  const { value, onValueChange, onKeyDown, onPointerMove, startOver } = useChoosing(
    groups[0]?.actions[0]?.label ?? firstFound(hits),
  );
  return (
    <Dialog
      title={strings.palette.title}
      description={strings.palette.description}
      onClose={close}
      onClosed={returnFocus}
      titleHidden
    >
      <Command
        label={strings.palette.title}
        loop
        shouldFilter={false}
        value={value}
        onValueChange={onValueChange}
        onKeyDown={onKeyDown}
        className="flex min-h-0 flex-col"
      >
        <Command.Input
          data-first
          value={typed}
          onValueChange={(words) => {
            setTyped(words);
            startOver();
          }}
          placeholder={strings.palette.placeholder}
          className="w-full border-b border-line bg-transparent py-4.5 pr-16 pl-6 text-lg outline-none focus:border-accent placeholder:text-ink-soft"
        />
        <Command.List label={strings.palette.title} onPointerMove={onPointerMove} className="overflow-auto p-2">
          {groups.length === 0 && hits.asked === "" && (
            <p className="px-4 py-6 text-ink-soft">{strings.palette.empty}</p>
          )}
          {groups.map(({ heading, actions }) => (
            <Command.Group key={heading} heading={heading} className={GROUP}>
              {actions.map((action) => (
                <Item key={action.label} action={action} />
              ))}
            </Command.Group>
          ))}
          <Found hits={hits} />
        </Command.List>
        <FoundStatus hits={hits} />
      </Command>
    </Dialog>
  );
}

function Item({ action }: { action: PaletteAction }): ReactNode {
  const Icon = action.icon;
  return (
    <Command.Item
      value={action.label}
      onSelect={() => {
        action.run();
        closePalette();
      }}
      className={ITEM}
    >
      <Icon aria-hidden className="size-5 shrink-0" />
      {action.label}
    </Command.Item>
  );
}

/** A command may have put another dialog in the palette's place. */
function closePalette(): void {
  const { shown, close } = useOverlay.getState();
  if (shown === "palette") close();
}
