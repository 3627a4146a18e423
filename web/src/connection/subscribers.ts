/** Who wants to hear of which kind of frame. */

import type { ServerFrame } from "../wire/generated";
import type { FrameOf, FrameType } from "./frames";

type Handler = (frame: ServerFrame) => void;

export class Subscribers {
  private readonly handlers = new Map<string, Set<Handler>>();

  /** Calls `handler` with every frame of one type, until the returned function is called. */
  add<T extends FrameType>(type: T, handler: (frame: FrameOf<T>) => void): () => void {
    const narrowed: Handler = (frame) => {
      if (isOf(frame, type)) handler(frame);
    };
    const sameType = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, sameType.add(narrowed));
    return () => {
      sameType.delete(narrowed);
    };
  }

  deliver(frame: ServerFrame): void {
    for (const handler of this.handlers.get(frame.type) ?? []) handler(frame);
  }
}

function isOf<T extends FrameType>(frame: ServerFrame, type: T): frame is FrameOf<T> {
  return frame.type === type;
}
