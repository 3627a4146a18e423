/** JSON with lines and indents; what is cut off or no JSON stays as it is. */

export function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body) as unknown, null, 2);
  } catch {
    return body;
  }
}
