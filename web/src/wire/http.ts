/** One way to ask the server: JSON in, JSON out, every failure an `ApiError`. */

import { strings } from "../strings";
import type { ErrorDetail } from "./generated";

const TIMEOUT_MS = 30_000;

export interface HttpPorts {
  fetch: typeof fetch;
  /** The value that proves an unsafe request comes from this app, once the session gave it. */
  csrf(): string | null;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Asks the server and returns its answer. The answer is trusted to be a `T`: the types are generated
 * from the models that write it.
 *
 * @throws ApiError when there is no answer, or it is not a success.
 */
export async function request<T>(
  ports: HttpPorts,
  method: Method,
  path: string,
  body?: object,
  /** Takes the question back: nobody waits for the answer any more. */
  signal?: AbortSignal,
): Promise<T> {
  const response = await send(ports, method, path, body, signal);
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  const failure = response.ok ? null : readErrorBody(answer);
  if (failure !== null) throw new ApiError(failure.message, failure.hint, response.status, failure.field);
  throw new ApiError(strings.errors.unreadable(response.status), strings.errors.unreadableHint, response.status);
}

async function send(
  ports: HttpPorts,
  method: Method,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const options: RequestInit = {
    method,
    headers: headers(ports, method, body),
    signal: signal === undefined ? timeout : AbortSignal.any([timeout, signal]),
  };
  if (body !== undefined) options.body = JSON.stringify(body);
  try {
    return await ports.fetch(path, options);
  } catch {
    // fetch rejects only without an answer: nobody listens, the network is down, the time is over.
    throw new ApiError(strings.errors.unreachable, strings.errors.unreachableHint, null);
  }
}

function headers(ports: HttpPorts, method: Method, body?: object): Record<string, string> {
  const csrf = method === "GET" ? null : ports.csrf();
  return {
    Accept: "application/json",
    ...(body !== undefined && { "Content-Type": "application/json" }),
    ...(csrf !== null && { "X-Paige-CSRF": csrf }),
  };
}

/** The parts of a query that say something, as they stand in an address. */
export function params(given: Record<string, string | number | null>): string {
  const said = Object.entries(given).flatMap(([name, value]) =>
    value === null || value === "" ? [] : [[name, String(value)]],
  );
  return new URLSearchParams(said).toString();
}

// What goes wrong when Paige is asked something.

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

// Files that the server gives out, kept where the browser keeps downloads.

export interface Download {
  name: string;
  content: Blob;
}

/**
 * Fetches a file. A plain link would leave the reader with a broken download and no reason.
 *
 * @throws ApiError when there is no answer, or it is not a success.
 */
export async function download(ports: HttpPorts, address: string): Promise<Download> {
  const response = await ports.fetch(address).catch(() => {
    throw new ApiError(strings.errors.unreachable, strings.errors.unreachableHint, null);
  });
  if (!response.ok) {
    const failure = readErrorBody(await response.json().catch(() => undefined));
    if (failure !== null) throw new ApiError(failure.message, failure.hint, response.status);
    throw new ApiError(strings.errors.unreadable(response.status), strings.errors.unreadableHint, response.status);
  }
  return { name: nameIn(response.headers.get("Content-Disposition")), content: await response.blob() };
}

/** The file name in a header: the one that may hold any letter, or else the plain one. */
export function nameIn(disposition: string | null): string {
  const any = /filename\*=utf-8''([^;]+)/i.exec(disposition ?? "")?.[1];
  if (any !== undefined) return decodeURIComponent(any);
  return /filename="?([^";]+)"?/i.exec(disposition ?? "")?.[1] ?? "lesson";
}

/** Hands a file to the browser, which keeps it as it keeps any download. */
export function keep({ name, content }: Download): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read by then.
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 10_000);
}
