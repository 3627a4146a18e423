/** Reading and writing the frames of the WebSocket. */

import type { ClientFrame, ServerFrame } from "./generated";

export type FrameType = ServerFrame["type"];
export type FrameOf<T extends FrameType> = Extract<ServerFrame, { type: T }>;

/**
 * The frame in a text, or null when it is not one. Only the envelope is checked: the payloads come from
 * the models that the types are generated from. A type that this version does not know is kept, because
 * its `seq` still counts.
 */
export function parseFrame(text: string): ServerFrame | null {
  const value = parseJson(text);
  return isFrame(value) ? value : null;
}

export function renderFrame(frame: ClientFrame): string {
  return JSON.stringify(frame);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isFrame(value: unknown): value is ServerFrame {
  if (typeof value !== "object" || value === null) return false;
  return (
    "type" in value &&
    typeof value.type === "string" &&
    "payload" in value &&
    typeof value.payload === "object" &&
    value.payload !== null &&
    "seq" in value &&
    typeof value.seq === "number" &&
    "durable" in value &&
    typeof value.durable === "boolean"
  );
}
