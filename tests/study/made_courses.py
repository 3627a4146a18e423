"""Courses made of arbitrary items, for properties that hold for whatever people write."""

import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from paige.exercise.values import Domain
from paige.learner.concepts import build_graph
from paige.study.courses.item_kinds import Course as Defaults
from paige.study.courses.items_file import read_items
from paige.study.courses.values import (
    Course,
    CourseConcept,
    CourseConfig,
    Item,
    Languages,
    Word,
    graph_concept,
)

CONCEPT = "thing"
PIECES = (
    *("selamat pagi", "a", "Zürich", "x = 3", "12", "loop", "the list", "O(n)", "a|b", "`code`"),
    *("-> next", "---", "# title", "1. one", "- item", "* star", "<!-- no -->", "___", "; and"),
    *(" / ", "true", "(A)", "B.", "é", "??", "...", "日本", "**bold**", "[x](y)", "Answer:"),
)
pieces = st.lists(
    st.one_of(
        st.sampled_from(PIECES),
        st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=12),
    ),
    min_size=1,
    max_size=5,
).map(" ".join)
texts = pieces.filter(lambda text: bool(text.strip()))
several = st.lists(texts, min_size=3, max_size=6, unique_by=lambda text: " ".join(text.split()))


@st.composite
def lines(draw: st.DrawFn) -> dict[str, Any]:
    """A line of an items file, of any kind that fits on a worksheet."""
    kind = draw(
        st.sampled_from(
            (
                *("translate", "cloze", "choice", "match", "order", "categorise", "true_false"),
                *("error", "short", "define", "predict"),
            )
        )
    )
    line: dict[str, Any] = {"kind": kind, "prompt": draw(texts), "explanation": draw(texts)}
    listed = draw(several)
    match kind:
        case "translate":
            line |= {"answer": listed[:2], "direction": draw(st.sampled_from(["to", "from"]))}
        case "cloze":
            line |= {"prompt": f"{listed[0]} ___ {listed[1]}", "answer": listed[2]}
        case "choice":
            line |= {"answer": listed[0], "distractors": listed[1:]}
        case "match":
            line |= {"answer": {left: f"{left} {number}" for number, left in enumerate(listed)}}
        case "order":
            line |= {"answer": listed}
        case "categorise":
            line |= {"answer": {"one": listed[:1], "two": listed[1:]}}
        case "true_false":
            line |= {"answer": draw(st.sampled_from(["true", "false"]))}
        case _:
            line |= {"answer": listed[:2]}
    if draw(st.booleans()):
        line["context"] = draw(st.one_of(texts, st.just("```python\nfor n in x:\n    pass\n```")))
    return line


words = st.builds(
    Word,
    id=st.uuids().map(lambda each: f"w-{each.hex[:8]}"),
    terms=st.lists(texts, min_size=1, max_size=2).map(tuple),
    meanings=st.lists(texts, min_size=1, max_size=2).map(tuple),
    concept_id=st.just(CONCEPT),
    example=st.one_of(st.just(""), texts),
)


def items_of(listed: Sequence[dict[str, Any]], domain: Domain = "language") -> tuple[Item, ...]:
    """The items that can be read from lines."""
    text = "\n".join(json.dumps({**line, "id": f"i{n}"}) for n, line in enumerate(listed))
    return read_items(f"items/{CONCEPT}.jsonl", text, Defaults(domain, "python")).items


def course_of(
    items: Sequence[Item] = (), vocabulary: Sequence[Word] = (), domain: Domain = "language"
) -> Course:
    """A course with one concept."""
    concept = CourseConcept(id=CONCEPT, title="A Thing")
    return Course(
        name="made",
        config=CourseConfig(title="Made", domain=domain, languages=Languages("en", "ms")),
        concepts={CONCEPT: concept},
        graph=build_graph([graph_concept(concept)]),
        items={CONCEPT: tuple(items)} if items else {},
        words={CONCEPT: tuple(vocabulary)} if vocabulary else {},
    )
