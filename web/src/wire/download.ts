/** Files that the server gives out, kept where the browser keeps downloads. */

import { strings } from "../strings";
import { ApiError, readErrorBody } from "./errors";
import type { HttpPorts } from "./http";

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
