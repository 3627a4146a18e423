/** What goes wrong when Paige is asked something. */

import type { ErrorDetail } from "./generated";

/** An error with words for the person: what happened (`message`) and what to do (`hint`). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly hint: string | null,
    /** The HTTP status, or null when there was no answer at all. */
    readonly status: number | null,
    /** The part of the request that the server could not use, or null when it names none. */
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

/** The words in the body of an answer that is not a success, or null when somebody else wrote it. */
export function readErrorBody(body: unknown): Omit<ErrorDetail, "code"> | null {
  const detail = fieldOf(body, "error");
  const message = fieldOf(detail, "message");
  if (typeof message !== "string") return null;
  return { message, hint: textOf(detail, "hint"), field: textOf(detail, "field") };
}

function textOf(value: unknown, key: string): string | null {
  const text = fieldOf(value, key);
  return typeof text === "string" ? text : null;
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** True when the server wants a passcode first. */
export function isSignInNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether an error is about one part of what was sent. */
export function isAbout(error: Error | null, field: string): boolean {
  return error instanceof ApiError && error.field === field;
}

/** What to do about an error, if it says. */
export function hintOf(error: Error): string | null {
  return error instanceof ApiError ? error.hint : null;
}
