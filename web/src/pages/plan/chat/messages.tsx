/** What the agent said, with the tools it used. */

import { FileText } from "lucide-react";
import { lexer, type Tokens } from "marked";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import type { PlanSaid } from "../../../wire/generated";
import { Markdown, plainText } from "../../../ui/markdown/markdown";
import { Tools } from "./tools";

const text = planStrings.chat;

interface AgentMessageProps {
  said: PlanSaid;
  /** Under which name it is found. */
  part: string;
  isFolded: boolean;
}

export function AgentMessage({ said, part, isFolded }: AgentMessageProps): ReactNode {
  return (
    <div className="flex flex-col gap-3">
      <h3 className="sr-only">{text.paige}</h3>
      {isFolded && isDocument(said.text) ? (
        <Folded words={said.text} part={part} />
      ) : (
        <div data-part={part} className="empty:hidden">
          <Words words={said.text} />
        </div>
      )}
      {said.tools.length > 0 && <Tools tools={said.tools} />}
    </div>
  );
}

/** A whole document; once it is judged section by section below, it need not stand here a second time. */
function Folded({ words, part }: { words: string; part: string }): ReactNode {
  return (
    <details className="-my-1.5 text-base">
      <summary className="cursor-pointer hover:text-accent">
        <FileText aria-hidden className="mr-1.5 inline size-4 text-door-ink" />
        {text.showDraft} <span className="font-semibold">{titleOf(words) ?? text.draft}</span>
      </summary>
      <div data-part={part} className="mt-3">
        <Sheet words={words} />
      </div>
    </details>
  );
}

/** The same while it is written and when it is finished: nothing jumps. */
function Words({ words }: { words: string }): ReactNode {
  if (words.trim() === "") return null;
  return isDocument(words) ? <Sheet words={words} /> : <Markdown text={words} deeper={2} />;
}

function isDocument(words: string): boolean {
  return /^#{1,2} /m.test(words);
}

function Sheet({ words }: { words: string }): ReactNode {
  return (
    <div className="margin-line rounded-lg border border-line bg-card py-5 pr-5 pl-6 sm:pl-8">
      <Markdown text={words} deeper={2} />
    </div>
  );
}

/** An answer while it is written. It is announced when it is finished, not word by word. */
export function Draft({ words }: { words: string }): ReactNode {
  return (
    <div aria-busy>
      <Words words={words} />
    </div>
  );
}

function titleOf(words: string): string | null {
  const first = lexer(words).find((token): token is Tokens.Heading => token.type === "heading");
  return first === undefined ? null : plainText(first.tokens);
}
