/** The words of a text without its marks, as they can be seen and searched. */

import { lexer, type Token, type Tokens } from "marked";

import { unescaped } from "../../../../ui/markdown/inlines";

export function plainWords(markdown: string): string {
  return lexer(markdown).map(blockWords).join("\n");
}

function blockWords(token: Token): string {
  switch (token.type) {
    case "list":
      return (token as Tokens.List).items.map(({ tokens }) => tokens.map(blockWords).join("\n")).join("\n");
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map(({ tokens }) => lineWords(tokens)).join("\n")).join("\n");
    }
    case "blockquote":
      return ((token as Tokens.Blockquote).tokens).map(blockWords).join("\n");
    case "checkbox":
    case "space":
      return "";
    default:
      return lineWords([token]);
  }
}

function lineWords(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "br") return "\n";
      if (token.type === "html" && token.raw.startsWith("<!--")) return "";
      if ("tokens" in token && Array.isArray(token.tokens)) return lineWords(token.tokens);
      if (!("text" in token) || typeof token.text !== "string") return "";
      return token.type === "text" ? unescaped(token.text) : token.text;
    })
    .join("");
}
