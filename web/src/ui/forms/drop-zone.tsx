/** A place to drop a file on; the button inside does the same for whoever does not drag. */

import { clsx } from "clsx";
import { type DragEvent, type ReactNode, useRef, useState } from "react";

import { Button } from "../button";

interface DropZoneProps {
  /** What may be chosen, as `accept` has it. */
  accept: string;
  /** What the choice is called. */
  label: string;
  /** What stands on the button. */
  button: ReactNode;
  look?: "primary" | "quiet";
  disabled?: boolean;
  onFile: (file: File) => void;
  className?: string;
  /** Above the button, and below it. */
  children?: ReactNode;
  below?: ReactNode;
}

export function DropZone({ accept, label, button, look = "quiet", disabled = false, onFile, className, children, below }: DropZoneProps): ReactNode {
  const field = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file !== undefined && !disabled) onFile(file);
  };
  return (
    <div
      role="presentation"
      className={clsx(
        "flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-5 py-6 text-center transition-colors",
        isOver ? "border-accent bg-cover/50" : "border-edge",
        className,
      )}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => {
        setIsOver(false);
      }}
      onDrop={(event: DragEvent) => {
        event.preventDefault();
        setIsOver(false);
        take(event.dataTransfer.files[0]);
      }}
    >
      {children}
      <Button look={look} disabled={disabled} onClick={() => field.current?.click()}>
        {button}
      </Button>
      <input
        ref={field}
        type="file"
        accept={accept}
        aria-label={label}
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          take(event.target.files?.[0]);
          // So that the same file can be chosen again after it was mended.
          event.target.value = "";
        }}
      />
      {below}
    </div>
  );
}
