/** Something that is on or off, with its name and what it means beside the switch. */

import { Switch } from "radix-ui";
import { type ReactNode, useId } from "react";

interface ToggleProps {
  label: string;
  hint: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  disabled?: boolean;
}

export function Toggle({ label, hint, isOn, onToggle, disabled = false }: ToggleProps): ReactNode {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-base leading-snug text-ink-soft">
          {hint}
        </p>
      </div>
      <Switch.Root
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        disabled={disabled}
        onCheckedChange={onToggle}
        className="relative h-7 w-12 shrink-0 rounded-full border border-edge bg-paper transition-colors before:absolute before:-inset-2 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-5 translate-x-1 rounded-full bg-edge transition-transform data-[state=checked]:translate-x-6 data-[state=checked]:bg-on-accent" />
      </Switch.Root>
    </div>
  );
}
