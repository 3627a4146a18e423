"""Curriculum files for tests: a small one of their own, and those that Paige ships."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from paige.base.paths import shipped
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.outcome_file import read_curriculum
from paige.plan.curriculum.values import Library, Outcome
from paige.store.documents import DirectoryDocuments

PATH = "curriculum/knots.md"
KNOTS = """\
---
framework: Rope Skills
subject: Knots
also: [Ropework]
edition: 2020-01
---

# Knots

## Third level

### Tying

- **TCH 3-15a** (grade A) Tie a bowline that holds and say where it is used.
  - progression: TCH 2-15a -> TCH 4-15a
  - misconception: Pupils think that a tighter knot is always a better knot.
  - assessment: Look for a knot that is tied without help.
  - topics: bowline, loops, harness
- **TCH 3-15b** (grade C) Compare two hitches on the same pole
  and choose the safer one.

### Caring

- **TCH 3-16a** (grade B-) Dry, coil and store a rope so that it lasts.
"""


def load_texts(texts: Sequence[tuple[str, str]]) -> Library:
    """A library of given files, as (path, text)."""
    return Library(tuple(read_curriculum(text, path) for path, text in texts))


def knots(text: str = KNOTS) -> Library:
    """A library of the small file."""
    return load_texts([(PATH, text)])


@cache
def shipped_library() -> Library:
    """The curriculum files that Paige ships."""
    return load_all(DirectoryDocuments(shipped("workspace")))


def outcome(code: str, library: Library | None = None) -> Outcome:
    """One outcome by its code."""
    (found,) = (library or shipped_library()).named(code)
    return found


def a_package(**changes: Any) -> dict[str, Any]:
    """A package as another publisher writes it: no extensions, mark-up, items without codes."""

    def link(child: str, parent: str, kind: str = "isChildOf") -> dict[str, Any]:
        ends = {
            "originNodeURI": {"identifier": child},
            "destinationNodeURI": {"identifier": parent},
        }
        return {"associationType": kind, **ends}

    made = {
        "CFDocument": {"identifier": "doc", "title": "State Standards", "subject": ["Science"]},
        "CFItems": [
            {"identifier": "g", "fullStatement": "Grade 5", "CFItemType": "Grade Level"},
            {"identifier": "d", "fullStatement": "Matter &amp; <b>Energy</b>"},
            {
                "identifier": "s1",
                "fullStatement": "Measure\n  and graph <i>quantities</i>.",
                "humanCodingScheme": "5-PS1-2",
                "notes": None,
            },
            {"identifier": "s2", "fullStatement": "Plan a model.", "humanCodingScheme": "5-PS1-3"},
            {"identifier": "s3", "fullStatement": "No code here."},
            {"identifier": "s4", "fullStatement": "Again.", "humanCodingScheme": "5-PS1-3"},
        ],
        "CFAssociations": [
            link("g", "doc"),
            link("d", "g"),
            *(link(each, "d") for each in ("s1", "s2", "s3", "s4")),
            link("s1", "s2", "precedes"),
            link("s1", "gone", "precedes"),
            link("s1", "s2", "exactMatchOf"),
        ],
    }
    return {**made, **changes}
