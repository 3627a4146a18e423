/** Fields of a form: the label above, the hint or what is wrong below, and both told to screen readers. */

import { clsx } from "clsx";
import { CircleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";

import { hintOf } from "../../wire/http";
import { Marked } from "../marked";

/** How everything looks that is typed into or chosen from. */
export const INPUT = "min-h-11 rounded-md border border-edge bg-card px-3 placeholder:text-ink-soft aria-invalid:border-fail";

interface Wiring {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": boolean | undefined;
}

interface FieldProps {
  label: ReactNode;
  /** A remark beside the label, such as that it may be left out. */
  about?: string | undefined;
  /** How it is filled in; `backticked` parts are code. */
  hint?: string | undefined;
  error?: Error | null;
  /** One of its own, where something else has to find the field. */
  id?: string;
  className?: string | undefined;
  children: (wiring: Wiring) => ReactNode;
}

/** The frame of a field; what is drawn in it takes over the wiring. */
export function Field({ label, about, hint, error = null, id, className, children }: FieldProps): ReactNode {
  const made = useId();
  const own = id ?? made;
  const describedBy = clsx(hint !== undefined && `${own}-hint`, error !== null && `${own}-error`);
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1", className)}>
      <label htmlFor={own} className="w-fit font-semibold">
        {label}
        {about !== undefined && <span className="font-normal text-ink-soft"> ({about})</span>}
      </label>
      {children({
        id: own,
        "aria-describedby": describedBy === "" ? undefined : describedBy,
        "aria-invalid": error === null ? undefined : true,
      })}
      {hint !== undefined && <Hint id={`${own}-hint`} text={hint} />}
      {error !== null && <FormError id={`${own}-error`} error={error} />}
    </div>
  );
}

export function Hint({ id, text }: { id: string; text: string }): ReactNode {
  return (
    <p id={id} className="text-base text-ink-soft">
      <Marked text={text} />
    </p>
  );
}

type Frame = Pick<FieldProps, "label" | "about" | "hint" | "error" | "className">;
type TextFieldProps = Frame &
  Omit<ComponentProps<"input">, keyof FieldProps | "onChange" | "value"> & { id?: string } & { value: string; onChange: (value: string) => void };

/** A line of text. Names and paths are typed as they are: nothing corrects them. */
export function TextField({ label, about, hint, error = null, className, id, onChange, ...input }: TextFieldProps): ReactNode {
  return (
    <Field label={label} about={about} hint={hint} error={error} className={className} {...(id === undefined ? {} : { id })}>
      {(wiring) => (
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          {...wiring}
          className={clsx(INPUT, "w-full")}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

type TextAreaProps = Frame &
  Omit<ComponentProps<"textarea">, keyof FieldProps | "onChange" | "value"> & { id?: string } & {
    value: string;
    onChange: (value: string) => void;
    /** Letters of one width, and nothing that corrects them. */
    isCode?: boolean;
  };

const UNCORRECTED = { autoCapitalize: "off", autoComplete: "off", autoCorrect: "off", spellCheck: false } as const;

/** Several lines of text. */
export function TextArea(props: TextAreaProps): ReactNode {
  const { label, about, hint, error = null, className, id, onChange, rows = 4, isCode = false, ...area } = props;
  return (
    <Field label={label} about={about} hint={hint} error={error} className={className} {...(id === undefined ? {} : { id })}>
      {(wiring) => (
        <textarea
          {...(isCode ? UNCORRECTED : {})}
          {...area}
          {...wiring}
          rows={rows}
          className={clsx(INPUT, "w-full py-2", isCode && "font-mono text-base")}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

interface TickProps {
  label: ReactNode;
  isTicked: boolean;
  hint?: string;
  disabled?: boolean;
  onTick: (isTicked: boolean) => void;
}

/** Something that is so, or is not. */
export function Tick({ label, isTicked, hint, disabled = false, onTick }: TickProps): ReactNode {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed has-disabled:opacity-60">
        <input
          type="checkbox"
          checked={isTicked}
          disabled={disabled}
          aria-describedby={hint === undefined ? undefined : id}
          className="size-5 shrink-0 accent-accent"
          onChange={(event) => {
            onTick(event.target.checked);
          }}
        />
        {label}
      </label>
      {hint !== undefined && <Hint id={id} text={hint} />}
    </div>
  );
}

// What was wrong with a form, under the field it is about.

export function FormError({ id, error }: { id: string; error: Error }): ReactNode {
  const hint = hintOf(error);
  return (
    <div id={id} role="alert" className="flex gap-2">
      <CircleAlert aria-hidden className="mt-1 size-5 shrink-0 text-fail" />
      <div>
        <Marked className="block font-semibold text-fail" text={error.message} />
        {hint !== null && <Marked className="block text-ink-soft" text={hint} />}
      </div>
    </div>
  );
}
