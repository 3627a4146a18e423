// Turns the wire schema into TypeScript: one exported type for each of its $defs.

import { compile } from "json-schema-to-typescript";

const BANNER = "// Generated from schema.json by `npm run types`. Do not edit.";

/**
 * The TypeScript of a schema. The same schema always gives the same text.
 * @param {{ $defs: Record<string, object> }} schema
 * @returns {Promise<string>}
 */
export async function generate(schema) {
  const names = Object.keys(schema.$defs).sort();
  const root = {
    title: "Wire",
    description: "Every shape on the wire, by name.",
    type: "object",
    // As properties of one root, each definition is reachable and gets exactly one type.
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
    required: names,
    $defs: Object.fromEntries(names.map((name) => [name, named(name, schema.$defs[name])])),
  };
  const text = await compile(root, "Wire", {
    additionalProperties: false,
    bannerComment: BANNER,
    format: true,
    style: { printWidth: 100 },
  });
  return text.replace(ROOT, "").replace(ONE_LINE, "/** $1 */");
}

/** The root itself, which nobody asks for. */
const ROOT = /\/\*\*[^/]*\*\/\nexport interface Wire \{\n[^}]*\}\n/;
/** A comment of one line that stands on three. */
const ONE_LINE = /\/\*\*\n *\* (.*)\n *\*\//g;

/** A definition whose only title is its own name: titles of fields would become types of their own. */
function named(name, definition) {
  return { ...withoutTitles(definition), title: name };
}

function withoutTitles(node) {
  if (Array.isArray(node)) return node.map(withoutTitles);
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !(key === "title" && typeof value === "string"))
      .map(([key, value]) => [key, withoutTitles(value)]),
  );
}
