/** How hits of each kind look. */

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

import type { SearchGroup } from "../wire/generated";

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
