/** Which page of the documentation helps with a page of the app. The server has them all at /docs/. */

const DOCS = "/docs/";

/** The longest beginning of an address that fits counts. */
const PAGES: Record<string, string> = {
  "/plan": "how-to/plan-a-lesson.html",
  "/study": "how-to/study-a-course.html",
  "/coach": "how-to/work-with-the-coach.html",
  "/guard": "how-to/guard-a-coding-agent.html",
  "/guard/graph": "explanation/context-graph.html",
  "/guard/guards": "how-to/teach-paige-a-guard.html",
  "/guard/orchestra": "how-to/run-an-orchestra.html",
  "/memory": "how-to/use-the-memory.html",
  "/traces": "how-to/read-a-run.html",
  "/costs": "how-to/read-a-run.html",
  "/settings": "how-to/set-up-in-the-browser.html",
  "/settings/passcode": "how-to/put-a-passcode.html",
  "/settings/agents": "how-to/guard-a-coding-agent.html",
  "/settings/data": "how-to/back-up-and-move.html",
  "/you": "how-to/let-many-people-in.html",
  "/search": "how-to/find-anything.html",
};

/** The address of the help for a page; the home of the documentation where none is about it. */
export function helpFor(path: string): string {
  const starts = Object.keys(PAGES).filter((start) => path === start || path.startsWith(`${start}/`));
  const longest = starts.reduce((best, start) => (start.length > best.length ? start : best), "");
  return DOCS + (PAGES[longest] ?? "");
}
