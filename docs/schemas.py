"""JSON Schemas in words: what a field holds, as a cell of a table."""

from typing import Any

WORDS = {"string": "text", "integer": "number", "number": "number", "boolean": "yes or no"}
WORDS |= {"object": "object", "null": "`null`"}
Schema = dict[str, Any]


def value_of(field: Schema, *, prefix: str | None = "") -> str:
    """What a field holds; other shapes are links to their headings, which begin with `prefix`.

    Without a prefix they are only named.
    """
    if "$ref" in field:
        name = field["$ref"].rpartition("/")[2]
        return f"`{name}`" if prefix is None else f"[{name}](#{prefix}{name.lower()})"
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(value_of(one, prefix=prefix) for one in field["anyOf"]))
    if "enum" in field or "const" in field:
        choices = field.get("enum", [field.get("const")])
        return " or ".join(f"`{_json(choice)}`" for choice in choices)
    if field.get("type") == "array":
        return f"list of {value_of(field.get('items', {'type': 'object'}), prefix=prefix)}"
    return WORDS.get(field.get("type", ""), "`null`")


def cell(text: str) -> str:
    """Text that fits into a table: one line, no bars."""
    return " ".join(text.split()).replace("|", "\\|")


def _json(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
