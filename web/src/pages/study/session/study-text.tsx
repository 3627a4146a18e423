/** Texts of lessons, questions and feedback: markdown, read into parts and never into HTML. */

import type { ReactNode } from "react";

import { Markdown } from "../../../ui/markdown/markdown";

import "../study.css";

interface StudyTextProps {
  text: string;
  className?: string;
  deeper?: number;
}

export function StudyText({ text, className = "", deeper = 2 }: StudyTextProps): ReactNode {
  return <Markdown text={text} deeper={deeper} className={className} />;
}
