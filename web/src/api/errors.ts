/** What goes wrong when Paige is asked something. */

import type { ErrorDetail } from "../wire/generated";

/** An error with words for the person: what happened (`message`) and what to do (`hint`). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    message: string,
    readonly hint: string | null,
    /** The HTTP status, or null when there was no answer at all. */
    readonly status: number | null,
  ) {
    super(message);
  }
}

/** The words in the body of an answer that is not a success, or null when somebody else wrote it. */
export function readErrorBody(body: unknown): Pick<ErrorDetail, "message" | "hint"> | null {
  const detail = fieldOf(body, "error");
  const message = fieldOf(detail, "message");
  const hint = fieldOf(detail, "hint");
  if (typeof message !== "string") return null;
  return { message, hint: typeof hint === "string" ? hint : null };
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}

/** True when the server wants a passcode first. */
export function isSignInNeeded(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** What to do about an error, if it says. */
export function hintOf(error: Error): string | null {
  return error instanceof ApiError ? error.hint : null;
}
