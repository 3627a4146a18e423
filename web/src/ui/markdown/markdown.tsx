/** Markdown as people read it. The text is read into parts, never into HTML: what it holds cannot become code. */

import "../../styles/prose.css";

import { Circle, CircleCheck } from "lucide-react";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { createElement, type ReactNode, useMemo } from "react";

import { planStrings } from "../../strings-plan";
import { Inlines, unescaped } from "./inlines";

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
      {isRight && <span className="sr-only">{planStrings.document.right}: </span>}
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
