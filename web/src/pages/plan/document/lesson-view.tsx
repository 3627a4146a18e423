/** A saved lesson as a page of a book: what it is about, how the time is spent, and every section. */

import { lexer, type Token, type Tokens } from "marked";
import { type ReactNode, useMemo } from "react";

import { planStrings } from "../../../strings-plan";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanLesson } from "../../../wire/generated";
import { useLesson } from "../hooks";
import { Blocks, plainText } from "../../../ui/markdown/markdown";
import { EvidenceContext } from "../../../ui/markdown/pointer-link";
import { EvidenceSummary } from "./evidence-summary";
import { Faults } from "./faults";
import { LessonActions } from "./lesson-actions";
import { splitMinutes, TimeBar } from "./time-bar";

const text = planStrings.document;

export function LessonView({ path }: { path: string }): ReactNode {
  const found = useLesson(path);
  if (found.data === undefined) {
    if (found.isError) {
      return (
        <div className="px-5 pb-5">
          <QueryError title={text.failed} query={found} />
        </div>
      );
    }
    return (
      <Loading label={text.loading}>
        <Skeleton className="m-5 h-10 w-2/3" />
        <Skeleton className="m-5 h-80" />
      </Loading>
    );
  }
  if (found.data === null) {
    return (
      <p role="status" className="p-5">
        {text.gone}
      </p>
    );
  }
  return <Lesson lesson={found.data} />;
}

function Lesson({ lesson }: { lesson: PlanLesson }): ReactNode {
  const { facts, body } = useMemo(() => parts(lesson.text), [lesson.text]);
  return (
    <EvidenceContext value={lesson.evidence}>
      <article data-printed aria-label={lesson.title} className="mx-auto max-w-180 px-5 pt-5 pb-10 max-lg:px-0 sm:px-8">
        <h3 className="text-2xl sm:text-3xl">{lesson.title}</h3>
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-base text-ink-soft">
          {facts.map(({ name, value }) => (
            <li key={name}>
              {name} <span className="font-semibold text-ink">{value}</span>
            </li>
          ))}
        </ul>
        <div data-unprinted>
          <LessonActions lesson={lesson} />
          <Faults lesson={lesson} />
        </div>
        <TimeBar titles={lesson.sections.map(({ title }) => title)} />
        <EvidenceSummary evidence={lesson.evidence} />
        <div className="prose mt-6">
          <Body tokens={body} />
        </div>
      </article>
    </EvidenceContext>
  );
}

/** Headings of sections with their minutes set apart; everything else as it is. */
function Body({ tokens }: { tokens: Token[] }): ReactNode {
  return tokens.map((token, place) => {
    if (token.type !== "heading" || token.depth !== 2) return <Blocks key={place} tokens={[token]} deeper={2} />;
    const { name, minutes } = splitMinutes(plainText((token as Tokens.Heading).tokens));
    return (
      <h4 key={place} data-depth={2} className="flex items-baseline justify-between gap-4 border-t border-rule pt-4">
        {name}
        {minutes !== null && (
          <span className="shrink-0 font-sans text-base font-normal text-ink-soft">{text.minutes(minutes)}</span>
        )}
      </h4>
    );
  });
}

interface Parts {
  facts: { name: string; value: string }[];
  body: Token[];
}

/** The facts are the list between the title and the first section. */
function parts(markdown: string): Parts {
  const tokens = lexer(markdown).filter(({ type }) => type !== "space");
  const [first, second] = tokens;
  const hasTitle = first?.type === "heading" && first.depth === 1;
  const list = hasTitle && second?.type === "list" ? (second as Tokens.List) : null;
  const facts = list?.items.map(({ text: line }) => /^([^:]+):\s*(.*)$/.exec(line)) ?? [];
  const areFacts = facts.length > 0 && facts.every((fact) => fact !== null);
  return {
    facts: areFacts ? facts.map(([, name = "", value = ""]) => ({ name, value })) : [],
    body: tokens.slice((hasTitle ? 1 : 0) + (areFacts ? 1 : 0)),
  };
}
