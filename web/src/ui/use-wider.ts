/** Whether what is in an element is wider than the element, so that it has to be scrolled sideways. */

import { type RefObject, useLayoutEffect, useRef, useState } from "react";

export function useIsWider<T extends HTMLElement>(): [RefObject<T | null>, boolean] {
  const ref = useRef<T | null>(null);
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => {
      setWider(element.scrollWidth > element.clientWidth + 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [ref, isWider];
}
