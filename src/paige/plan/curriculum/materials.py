"""Reads imported papers, marking instructions and specifications: sections tagged with codes.

A section is a heading of the second level. The line below it may say `- codes: …` (a person
confirmed them, or the document names them) or `- suggested codes: …` (found by words).
"""

import re
from typing import cast

from paige.plan.curriculum.codes import normal_code
from paige.plan.curriculum.front import missing_keys, read_head, split_lines, unknown_keys
from paige.plan.curriculum.values import MATERIAL_KINDS, Material, MaterialKind, Part, Problem

KEYS = frozenset({"kind", "title", "subject", "edition", "original", "about"})
SUGGESTED = "suggested codes"
CONFIRMED = "codes"

_HEADING = re.compile(r"##\s+(?P<title>.*\S)")
_TAGS = re.compile(r"- (?P<key>suggested codes|codes):(?P<codes>.*)$")


def is_material(text: str) -> bool:
    """Whether a file says of itself that it is imported material."""
    return read_head(text, "").text("kind") in MATERIAL_KINDS


def read_material(text: str, path: str) -> Material:
    """The sections of an imported document and their codes."""
    head = read_head(text, path)
    problems = [*head.problems, *missing_keys(head, ("kind",)), *unknown_keys(head, KEYS)]
    kind = head.text("kind")
    if kind not in MATERIAL_KINDS:
        if kind:
            known = ", ".join(f"`{each}`" for each in MATERIAL_KINDS)
            said = f"`kind` is `{kind}`."
            problems.append(head.problem("kind", said, f"There are: {known}."))
        kind = "guidance"
    return Material(
        path=path,
        title=head.text("title") or path.rsplit("/", 1)[-1].removesuffix(".md"),
        kind=cast(MaterialKind, kind),
        subject=head.text("subject"),
        edition=head.text("edition"),
        original=head.text("original"),
        parts=_parts(split_lines(text), head.body, path, problems),
        problems=tuple(problems),
    )


def _parts(
    lines: tuple[str, ...], start: int, path: str, problems: list[Problem]
) -> tuple[Part, ...]:
    heads = [
        (number, match["title"])
        for number, line in enumerate(lines[start:], start + 1)
        if (match := _HEADING.match(line))
    ]
    ends = [number - 1 for number, _ in heads[1:]] + [len(lines)]
    parts: list[Part] = []
    for (number, title), end in zip(heads, ends, strict=False):  # without heads there is one end
        codes, suggested = _tags(lines, number, end, path, problems)
        parts.append(Part(title, number, end, codes, suggested))
    return tuple(parts)


def _tags(
    lines: tuple[str, ...], heading: int, end: int, path: str, problems: list[Problem]
) -> tuple[tuple[str, ...], bool]:
    """The codes on the first lines below a heading."""
    for number in range(heading + 1, min(end, heading + 3) + 1):
        match = _TAGS.match(lines[number - 1])
        if match is None:
            continue
        codes = tuple(normal_code(each) for each in match["codes"].split(",") if each.strip())
        if not codes:
            problems.append(Problem(path, number, "No codes follow.", "Name them, or remove it."))
        return codes, match["key"] == SUGGESTED
    return (), False
