import { expect, test } from "vitest";

import { generate } from "./generate.mjs";

const SCHEMA = {
  $defs: {
    // As Pydantic writes it: titles on fields, extra fields neither allowed nor forbidden.
    Tree: {
      title: "Tree",
      type: "object",
      properties: { title: { type: "string", title: "Title" }, leaf: { $ref: "#/$defs/Leaf" } },
      required: ["title", "leaf"],
    },
    Leaf: { title: "Leaf", type: "object", properties: { green: { type: "boolean", title: "Green" } } },
    Any: { oneOf: [{ $ref: "#/$defs/Tree" }, { $ref: "#/$defs/Leaf" }] },
  },
};

test("each definition becomes one exported type without index signatures", async () => {
  const text = await generate(SCHEMA);
  expect(text).toContain("export type Any = Tree | Leaf;");
  expect(text).toContain("export interface Tree {\n  title: string;\n  leaf: Leaf;\n}");
  expect(text).toContain("export interface Leaf {\n  green?: boolean;\n}");
  expect(text).not.toContain("[k: string]");
});

test("the order of the definitions does not change the text", async () => {
  const turned = { $defs: Object.fromEntries(Object.entries(SCHEMA.$defs).reverse()) };
  expect(await generate(turned)).toBe(await generate(SCHEMA));
});
