/** Answers of two devices with one code, put together so that nothing is lost unseen. */

export type Answers = Readonly<Record<string, readonly string[]>>;

export interface Difference {
  id: string;
  /** What the other device says. */
  there: string;
}

interface Merged {
  answers: Answers;
  differences: readonly Difference[];
}

/** What was changed here stays; everything else comes from there. Where both have other words, that is told. */
export function mergeAnswers(here: Answers, there: Answers, touched: ReadonlySet<string>): Merged {
  const answers: Record<string, readonly string[]> = { ...there };
  const differences: Difference[] = [];
  for (const id of touched) {
    const own = here[id] ?? [];
    const other = said(there[id]);
    answers[id] = own;
    if (other !== "" && other !== said(own)) differences.push({ id, there: other });
  }
  return { answers, differences };
}

/** Whether something was written for a question. */
export function isAnswered(parts: readonly string[] | undefined): boolean {
  return said(parts) !== "";
}

/** One part changed; those before it are there, even if they are empty. */
export function withPart(parts: readonly string[] | undefined, at: number, text: string): string[] {
  const next = [...(parts ?? [])];
  while (next.length <= at) next.push("");
  next[at] = text;
  return next;
}

function said(parts: readonly string[] | undefined): string {
  return (parts ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("; ");
}
