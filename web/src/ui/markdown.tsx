/** Markdown as people read it. The text is read into parts, never into HTML: what it holds cannot become code. */

import "../styles/prose.css";

import { Circle, CircleAlert, CircleCheck, CircleHelp, Quote } from "lucide-react";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { createContext, createElement, type ReactNode, useContext, useMemo } from "react";

import { words } from "../locale/words";
import type { PlanEvidence } from "../wire/generated";

export const markdownStrings = words("markdown", {
  right: "Right answer",
  /** Of a pointer into the curriculum. */
  mark: { holds: "Holds", unverified: "Unverified", broken: "Does not hold" },
  open: (code: string) => `Show the curriculum line of ${code}`,
});

interface MarkdownProps {
  text: string;
  /** How much deeper headings stand on this page than in the text. */
  deeper?: number;
  className?: string;
}

export function Markdown({ text, deeper = 1, className = "" }: MarkdownProps): ReactNode {
  const tokens = useMemo(() => lexer(text), [text]);
  return (
    <div className={`prose ${className}`}>
      <Blocks tokens={tokens} deeper={deeper} />
    </div>
  );
}

export function Blocks({ tokens, deeper }: { tokens: Token[]; deeper: number }): ReactNode {
  return tokens.map((token, place) => <Block key={place} token={token as MarkedToken} deeper={deeper} />);
}

function Block({ token, deeper }: { token: MarkedToken; deeper: number }): ReactNode {
  switch (token.type) {
    case "heading":
      return createElement(
        `h${Math.min(token.depth + deeper, 6)}`,
        { "data-depth": token.depth },
        <Inlines tokens={token.tokens} />,
      );
    case "paragraph":
      return (
        <p>
          <Inlines tokens={token.tokens} />
        </p>
      );
    case "text":
      return <Inlines tokens={token.tokens ?? [token]} />;
    case "list":
      return <List list={token} deeper={deeper} />;
    case "code":
      return (
        // A block wider than its pane scrolls, and the keyboard must be able to scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={token.tokens} deeper={deeper} />
        </blockquote>
      );
    case "table":
      return <Table table={token} />;
    case "hr":
      return <hr />;
    case "html":
      return isComment(token.text) ? null : <p>{token.text}</p>;
    case "br":
    case "checkbox":
    case "codespan":
    case "def":
    case "del":
    case "em":
    case "escape":
    case "image":
    case "link":
    case "list_item":
    case "space":
    case "strong":
      // Parts of a line, or nothing to see.
      return null;
  }
}

function List({ list, deeper }: { list: Tokens.List; deeper: number }): ReactNode {
  const items = list.items.map((item, place) => <Item key={place} item={item} deeper={deeper} />);
  if (!list.ordered) return <ul data-tasks={list.items.some(({ task }) => task) || undefined}>{items}</ul>;
  return <ol start={list.start === "" ? 1 : list.start}>{items}</ol>;
}

function Item({ item, deeper }: { item: Tokens.ListItem; deeper: number }): ReactNode {
  const content = item.tokens.filter(({ type }) => type !== "checkbox");
  if (!item.task) {
    return (
      <li>
        <Blocks tokens={content} deeper={deeper} />
      </li>
    );
  }
  const isRight = item.checked === true;
  const Icon = isRight ? CircleCheck : Circle;
  return (
    <li data-right={isRight || undefined}>
      <Icon aria-hidden className="prose-mark" />
      {isRight && <span className="sr-only">{markdownStrings.right}: </span>}
      <Blocks tokens={content} deeper={deeper} />
    </li>
  );
}

function Table({ table }: { table: Tokens.Table }): ReactNode {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as for code
    <div className="prose-table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {table.header.map((cell, place) => (
              <th key={place} scope="col">
                <Inlines tokens={cell.tokens} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, place) => (
                <td key={place}>
                  <Inlines tokens={cell.tokens} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The words of a text without its marks, for names and titles. */
export function plainText(tokens: Token[]): string {
  return tokens
    .map((token) => {
      if ("tokens" in token && Array.isArray(token.tokens)) return plainText(token.tokens);
      return "text" in token && typeof token.text === "string" ? unescaped(token.text) : "";
    })
    .join("");
}

function isComment(html: string): boolean {
  return /^\s*(<!--[\s\S]*?-->\s*)+$/.test(html);
}

/** The parts of a line: emphasis, code, links. A link to a curriculum line opens that line. */
function Inlines({ tokens }: { tokens: Token[] }): ReactNode {
  return tokens.map((token, place) => <Inline key={place} token={token as MarkedToken} />);
}

function Inline({ token }: { token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "strong":
      return (
        <strong>
          <Inlines tokens={token.tokens} />
        </strong>
      );
    case "em":
      return (
        <em>
          <Inlines tokens={token.tokens} />
        </em>
      );
    case "del":
      return (
        <del>
          <Inlines tokens={token.tokens} />
        </del>
      );
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <MarkdownLink link={token} />;
    case "image":
      // Pictures of other places are not fetched.
      return token.text;
    case "text":
      return token.tokens === undefined ? unescaped(token.text) : <Inlines tokens={token.tokens} />;
    case "escape":
      return token.text;
    case "html":
      return token.text.startsWith("<!--") ? null : token.text;
    case "blockquote":
    case "checkbox":
    case "code":
    case "def":
    case "heading":
    case "hr":
    case "list":
    case "list_item":
    case "paragraph":
    case "space":
    case "table":
      // These stand between lines, never in one.
      return null;
  }
}

function MarkdownLink({ link }: { link: Tokens.Link }): ReactNode {
  const links = useContext(MarkdownLinksContext);
  const words = <Inlines tokens={link.tokens} />;
  const pointer = readPointer(link.href);
  if (pointer !== null) return <PointerLink pointer={pointer} code={link.text} />;
  if (/^(https?|mailto):/i.test(link.href)) {
    return (
      <a href={link.href} target="_blank" rel="noreferrer">
        {words}
      </a>
    );
  }
  if (links === null || !/^[^:#?]+\.md$/.test(link.href)) return words;
  return (
    <button
      type="button"
      className="prose-link"
      onClick={() => {
        links.openFile(link.href);
      }}
    >
      {words}
    </button>
  );
}

const ESCAPED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** The characters that HTML would not take as they are, and that the reader therefore leaves as names. */
export function unescaped(text: string): string {
  return text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (all, name: string) => ESCAPED[name] ?? all);
}

// A curriculum code in a text: it opens the line it points at, and says whether that can be relied on.

export type EvidenceState = "holds" | "unverified" | "broken";

/** What was checked about the pointers of the text around; empty where nothing was. */
export const EvidenceContext = createContext<readonly PlanEvidence[]>([]);

export const EVIDENCE_LOOKS = {
  holds: { icon: Quote, color: "text-ok" },
  unverified: { icon: CircleHelp, color: "text-warn" },
  broken: { icon: CircleAlert, color: "text-fail" },
} as const;

export function evidenceState({ valid, verified }: PlanEvidence): EvidenceState {
  if (!valid) return "broken";
  return verified ? "holds" : "unverified";
}

export function PointerLink({ pointer, code }: { pointer: Pointer; code: string }): ReactNode {
  const links = useContext(MarkdownLinksContext);
  const checked = useContext(EvidenceContext);
  const found = checked.find(
    ({ file, start, end, code: its }) =>
      its === code && start !== null && end !== null && isSamePointer({ path: file, start, end }, pointer),
  );
  const state = found === undefined ? null : evidenceState(found);
  const { icon: Icon, color } = EVIDENCE_LOOKS[state ?? "holds"];
  if (links === null) return <code>{code}</code>;
  const isOpen = links.lines !== null && isSamePointer(links.lines, pointer);
  return (
    <>
      <button
        type="button"
        className="prose-pointer"
        aria-expanded={isOpen}
        aria-label={markdownStrings.open(code)}
        onClick={() => {
          links.openLines(pointer);
        }}
      >
        <Icon aria-hidden className={`size-4 shrink-0 ${state === null ? "text-ink-soft" : color}`} />
        {code}
      </button>
      {state !== null && state !== "holds" && <strong className={`prose-flag ${color}`}>{markdownStrings.mark[state]}</strong>}
    </>
  );
}

export interface MarkdownLinks {
  /** Opens a file of the workspace. */
  openFile: (path: string) => void;
  /** Opens the lines that a pointer points at. */
  openLines: (pointer: Pointer) => void;
  /** The lines that are open. */
  lines: Pointer | null;
}

/** What links inside of texts do. A page that has somewhere to lead to says so; elsewhere they are only words. */
export const MarkdownLinksContext = createContext<MarkdownLinks | null>(null);

// Pointers into the curriculum, as lessons write them: `curriculum/cfe-computing.md#L12-L14`.

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

function isSamePointer(one: Pointer, other: Pointer): boolean {
  return one.path === other.path && one.start === other.start && one.end === other.end;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
