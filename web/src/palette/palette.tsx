/** The command palette: every page and command, found by typing. */

import { Command } from "cmdk";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { returnFocus, useOverlay } from "../keyboard/overlay";
import { strings } from "../strings";
import { Dialog } from "../ui/dialog";
import { type PaletteAction, usePaletteGroups } from "./actions";

export function Palette(): ReactNode {
  const close = useOverlay((overlay) => overlay.close);
  const groups = usePaletteGroups();
  return (
    <Dialog
      title={strings.palette.title}
      description={strings.palette.description}
      onClose={close}
      onClosed={returnFocus}
      titleHidden
    >
      <Command label={strings.palette.title} loop className="flex min-h-0 flex-col">
        <Command.Input
          placeholder={strings.palette.placeholder}
          className="w-full border-b border-line bg-transparent py-4.5 pr-16 pl-6 text-lg outline-none focus:border-accent placeholder:text-ink-soft"
        />
        <Command.List label={strings.palette.title} className="overflow-auto p-2">
          <Command.Empty className="px-4 py-6 text-ink-soft">{strings.palette.empty}</Command.Empty>
          {groups.map(({ heading, actions }) => (
            <Command.Group
              key={heading}
              heading={heading}
              className="pb-2 [&_[cmdk-group-heading]]:px-4 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink-soft"
            >
              {actions.map((action) => (
                <Item key={action.label} action={action} />
              ))}
            </Command.Group>
          ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}

function Item({ action }: { action: PaletteAction }): ReactNode {
  const Icon: LucideIcon = action.icon;
  return (
    <Command.Item
      value={action.label}
      onSelect={() => {
        action.run();
        closePalette();
      }}
      className="flex min-h-11 cursor-pointer items-center gap-3 rounded-md px-4 aria-selected:bg-accent aria-selected:text-on-accent"
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
