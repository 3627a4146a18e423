"""How much of a MEMORY.md a prompt shows: the beginning, and where to find the rest."""

from collections.abc import Sequence

MEMORY_LINES = 200
"""A MEMORY.md is an index: what stands below this line is read only when somebody asks."""


def prompt_text(text: str, topics: Sequence[str] = ()) -> str:
    """The first lines of a MEMORY.md; then what was left out, and which topic files there are."""
    lines = text.strip().split("\n")
    parts = ["\n".join(lines[:MEMORY_LINES])]
    if len(lines) > MEMORY_LINES:
        parts.append(f"(The first {MEMORY_LINES} of {len(lines)} lines; `read_memory` reads all.)")
    if topics:
        named = ", ".join(f"`{topic}`" for topic in topics)
        parts.append(f"(More is in {named}: `read_memory` reads them.)")
    return "\n\n".join(part for part in parts if part)


def line_count(text: str) -> int:
    """How many lines a document has for a prompt."""
    return len(text.strip().split("\n")) if text.strip() else 0
