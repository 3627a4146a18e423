/** One way to ask the server: JSON in, JSON out, every failure an `ApiError`. */

import { strings } from "../strings";
import { ApiError, readErrorBody } from "./errors";

const TIMEOUT_MS = 30_000;

export interface HttpPorts {
  fetch: typeof fetch;
  /** The value that proves an unsafe request comes from this app, once the session gave it. */
  csrf(): string | null;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

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
