/** Requests of the Study door that take longer than others, or carry a file instead of JSON. */

import { strings } from "../strings";
import { ApiError, readErrorBody } from "./errors";
import type { HttpPorts } from "./http";

/** A model may read a whole essay, and a sandbox may run many tests, before there is an answer. */
const PATIENCE_MS = 180_000;

/**
 * Sends and waits for as long as judging may take. A `Blob` goes as it is, anything else as JSON.
 *
 * @throws ApiError when there is no answer, or it is not a success.
 */
export async function sendPatiently<T>(ports: HttpPorts, path: string, body: object): Promise<T> {
  const isFile = body instanceof Blob;
  const csrf = ports.csrf();
  const headers = {
    Accept: "application/json",
    "Content-Type": isFile ? body.type || "application/octet-stream" : "application/json",
    ...(csrf !== null && { "X-Paige-CSRF": csrf }),
  };
  const options: RequestInit = {
    method: "POST",
    headers,
    body: isFile ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  const response = await ports.fetch(path, options).catch(() => {
    throw new ApiError(strings.errors.unreachable, strings.errors.unreachableHint, null);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  const failure = response.ok ? null : readErrorBody(answer);
  if (failure !== null) throw new ApiError(failure.message, failure.hint, response.status);
  throw new ApiError(strings.errors.unreadable(response.status), strings.errors.unreadableHint, response.status);
}
