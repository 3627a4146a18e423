/** Pointers into the curriculum, as lessons write them: `curriculum/cfe-computing.md#L12-L14`. */

export interface Pointer {
  path: string;
  start: number;
  end: number;
}

const POINTER = /^(?<path>[^#]+)#L(?<start>\d+)(?:-L?(?<end>\d+))?$/;

/** The pointer in an address, or null when it is another kind of address. */
export function readPointer(address: string): Pointer | null {
  const found = POINTER.exec(address)?.groups;
  if (found === undefined) return null;
  const { path, start, end } = found;
  if (path === undefined || start === undefined || /^[a-z]+:/i.test(path)) return null;
  const first = Number(start);
  return { path: decode(path), start: first, end: Math.max(first, Number(end ?? start)) };
}

export function isSamePointer(one: Pointer, other: Pointer): boolean {
  return one.path === other.path && one.start === other.start && one.end === other.end;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
