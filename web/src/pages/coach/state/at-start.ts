/** Goes on when the session that was asked for has begun: before that, the workspace would read the old one. */

import { useCallback, useEffect, useRef } from "react";

import { useServices } from "../../../services";

export function useNavigationAtStart(onStart: () => void): () => void {
  const { connection } = useServices();
  const isAwaited = useRef(false);
  const latest = useRef(onStart);
  useEffect(() => {
    latest.current = onStart;
  });
  useEffect(() => {
    const begun = (): void => {
      if (!isAwaited.current) return;
      isAwaited.current = false;
      latest.current();
    };
    const stops = [connection.subscribe("session:started", begun), connection.subscribe("session:resumed", begun)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [connection]);
  return useCallback(() => {
    isAwaited.current = true;
  }, []);
}
