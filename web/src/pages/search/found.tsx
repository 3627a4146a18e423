/** A text with the words that were looked for marked in it. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import {
  Brain,
  FileText,
  GraduationCap,
  Lightbulb,
  type LucideIcon,
  MessagesSquare,
  NotebookPen,
  Puzzle,
  ShieldCheck,
  ShieldQuestion,
  Swords,
  Workflow,
} from "lucide-react";
import type { ReactNode } from "react";

import { useServices } from "../../services";
import { useRested } from "../../ui/rested";
import type { SearchResults, SearchGroup, TextPart } from "../../wire/generated";

export function Parts({ parts }: { parts: readonly TextPart[] }): ReactNode {
  return parts.map(({ text, hit }, place) =>
    hit ? (
      <mark key={place} className="rounded-xs bg-chalk/40 text-ink group-aria-selected:bg-transparent group-aria-selected:text-inherit group-aria-selected:underline">
        {text}
      </mark>
    ) : (
      text
    ),
  );
}

/** How hits of each kind look. */
export const KIND_ICONS: Record<SearchGroup["kind"], LucideIcon> = {
  session: NotebookPen,
  lesson: FileText,
  file: FileText,
  course: GraduationCap,
  concept: Lightbulb,
  coaching: MessagesSquare,
  gap: Puzzle,
  kata: Swords,
  memory: Brain,
  document: FileText,
  guard: ShieldCheck,
  decision: ShieldQuestion,
  trace: Workflow,
};

const REST_MS = 180;
/** One letter finds everything, which is nothing. */
const LEAST = 2;

interface Finding {
  /** The words that were asked; empty while there are too few. */
  asked: string;
  /** Whether the answer is one to these words. */
  isCurrent: boolean;
  query: UseQueryResult<SearchResults>;
}

/** What is found behind all doors, once the words have rested; a question nobody waits for any more is taken back. */
export function useFinding(words: string, limit: number): Finding {
  const { api } = useServices();
  const rested = useRested(words.trim(), REST_MS);
  const asked = rested.length < LEAST ? "" : rested;
  const query = useQuery({
    queryKey: ["search", asked, limit],
    queryFn: ({ signal }) => api.finding.search(asked, limit, signal),
    enabled: asked !== "",
    // What was found stays while more letters are typed, so that nothing jumps.
    placeholderData: keepPreviousData,
    meta: { isQuiet: true },
  });
  return { asked, isCurrent: !query.isPlaceholderData && words.trim() === rested, query };
}
