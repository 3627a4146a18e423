/** A button with a menu below it. */

import { ChevronDown } from "lucide-react";
import { DropdownMenu } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

import { Button } from "./button";

interface MenuProps {
  /** What stands on the button. */
  button: ReactNode;
  /** What the menu is called. */
  label: string;
  look?: ComponentProps<typeof Button>["look"];
  /** The button is not disabled meanwhile: the focus comes back to it. */
  isBusy?: boolean;
  open?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  /** `MenuItem`s. */
  children: ReactNode;
}

export function Menu({ button, label, look = "quiet", isBusy = false, open, onOpenChange, children }: MenuProps): ReactNode {
  return (
    <DropdownMenu.Root
      modal={false}
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange === undefined ? {} : { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>
        <Button look={look} aria-busy={isBusy}>
          {button}
          <ChevronDown aria-hidden className="size-4" />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          className="z-30 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-auto rounded-lg border border-line bg-card p-1.5 shadow-xl"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const ITEM =
  "flex min-h-11 cursor-pointer items-center gap-2 rounded-md px-3 outline-none data-highlighted:bg-accent data-highlighted:text-on-accent";

type MenuItemProps = Pick<ComponentProps<typeof DropdownMenu.Item>, "asChild" | "children" | "disabled"> & { onSelect?: () => void };

/** With `asChild` a link inside is the item. */
export function MenuItem({ onSelect, ...rest }: MenuItemProps): ReactNode {
  return <DropdownMenu.Item {...rest} {...(onSelect === undefined ? {} : { onSelect })} className={ITEM} />;
}

export function MenuLine(): ReactNode {
  return <DropdownMenu.Separator className="my-1.5 h-px bg-line" />;
}
