/** The parts of a line: emphasis, code, links. A link to a curriculum line opens that line. */

import type { MarkedToken, Token, Tokens } from "marked";
import { type ReactNode, useContext } from "react";

import { MarkdownLinksContext } from "./links";
import { readPointer } from "./pointer";
import { PointerLink } from "./pointer-link";

export function Inlines({ tokens }: { tokens: Token[] }): ReactNode {
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
