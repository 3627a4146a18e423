import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { type ReactNode, useState } from "react";
import { expect, test } from "vitest";

import type { PlanEvidence } from "../wire/generated";
import {
  EvidenceContext,
  Markdown,
  type MarkdownLinks,
  MarkdownLinksContext,
  markdownStrings,
  type Pointer,
  readPointer,
} from "./markdown";

const EVIDENCE: PlanEvidence = {
  code: "TCH 3-15a",
  file: "curriculum/cfe-computing.md",
  start: 12,
  end: 12,
  quote: "Choose tools",
  line: 7,
  edition: "2017-03",
  grade: "A",
  valid: true,
  reason: null,
  verified: true,
};

/** A page that opens what is asked for, and says what that is. */
function Opening({ children }: { children: ReactNode }): ReactNode {
  const [lines, setLines] = useState<Pointer | null>(null);
  const [file, setFile] = useState("");
  const links: MarkdownLinks = { lines, openLines: setLines, openFile: setFile };
  return (
    <MarkdownLinksContext value={links}>
      {children}
      <output>{file}</output>
    </MarkdownLinksContext>
  );
}

function shown(text: string): HTMLElement {
  const { container } = render(<Markdown text={text} />);
  return container;
}

test("headings stand deeper than on the page, and never too deep", () => {
  shown("# One\n\n###### Six");
  expect(screen.getByRole("heading", { level: 2, name: "One" })).toBeTruthy();
  expect(screen.getByRole("heading", { level: 6, name: "Six" })).toBeTruthy();
});

test("lists, code, quotes, tables and emphasis are what they are", () => {
  const page = shown("3. a\n   - b\n\n```py\nfor x in y:\n```\n\n> said\n\n| a | b |\n|---|---|\n| *c* | ~~d~~ |\n\n---\n\n**e** `f` a\\*b  \nc");
  expect(page.querySelector("ol")?.start).toBe(3);
  expect(page.querySelector("pre")?.textContent).toBe("for x in y:");
  expect(page.querySelector("blockquote")?.textContent).toBe("said");
  expect([...page.querySelectorAll("td")].map((cell) => cell.firstElementChild?.tagName)).toEqual(["EM", "DEL"]);
  expect(page.querySelector("strong")?.textContent).toBe("e");
  expect(page.textContent).toContain("a*b");
});

test("the right answer is marked in words too", () => {
  shown("1. What is 2?\n   - [ ] one\n   - [x] two");
  const [, right] = screen.getAllByRole("listitem").slice(1);
  expect(right?.textContent).toBe(`${markdownStrings.right}: two`);
});

test("nothing in a text becomes HTML", () => {
  const page = shown("<img src=x onerror=alert(1)>\n\n<!-- hidden -->\n\na <b>c</b> <!-- also --> ![alt](http://x.test/a.png) [x](javascript:alert(1))");
  expect(page.querySelector("img, b, a")).toBeNull();
  expect(page.textContent).toContain("<img src=x onerror=alert(1)>");
  expect(page.textContent).not.toContain("hidden");
  expect(page.textContent).toContain("alt");
});

test("entities are the characters they name", () => {
  expect(shown("a &amp;lt; b &#233; &#x41; &unknown; &lt;b&gt; `&amp;`").textContent).toBe("a &lt; b é A &unknown; <b> &amp;");
});

test("a link of another site opens beside this one; a file of the workspace opens here", async () => {
  render(
    <Opening>
      <Markdown text="[site](https://example.test/) [class](classes/3B.md) [other](notes.txt)" />
    </Opening>,
  );
  expect(screen.getByRole("link", { name: "site" }).getAttribute("rel")).toBe("noreferrer");
  expect(screen.getAllByRole("link")).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "class" }));
  expect(screen.getByRole("status").textContent).toBe("classes/3B.md");
});

test("where nothing can be opened, files and pointers are only words", () => {
  const page = shown("[class](classes/3B.md) [TCH 3-15a](curriculum/cfe-computing.md#L12-L12)");
  expect(screen.queryByRole("button")).toBeNull();
  expect(page.textContent).toBe("class TCH 3-15a");
});

test("a pointer opens its line, and says when nobody has verified it", async () => {
  render(
    <Opening>
      <EvidenceContext value={[{ ...EVIDENCE, verified: false, grade: "C" }]}>
        <Markdown text={'[TCH 3-15a](curriculum/cfe-computing.md#L12-L12) "Choose tools"'} />
      </EvidenceContext>
    </Opening>,
  );
  expect(screen.getByText(markdownStrings.mark.unverified)).toBeTruthy();
  const button = screen.getByRole("button", { name: markdownStrings.open("TCH 3-15a") });
  expect(button.getAttribute("aria-expanded")).toBe("false");
  await userEvent.click(button);
  expect(button.getAttribute("aria-expanded")).toBe("true");
});

test.each([
  ["curriculum/a.md#L3", { path: "curriculum/a.md", start: 3, end: 3 }],
  ["curriculum/a%20b.md#L3-L5", { path: "curriculum/a b.md", start: 3, end: 5 }],
  ["curriculum/%ZZ.md#L5-2", { path: "curriculum/%ZZ.md", start: 5, end: 5 }],
  ["https://x.test/#L3", null],
  ["curriculum/a.md", null],
])("the pointer in %s", (address, pointer) => {
  expect(readPointer(address)).toEqual(pointer);
});
