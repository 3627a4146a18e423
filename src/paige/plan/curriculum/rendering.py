"""Writes outcomes as a curriculum file, in the form that the reader reads."""

import json
import re
from collections.abc import Iterable, Iterator

from paige.plan.curriculum.codes import LEVELS
from paige.plan.curriculum.values import Curriculum, Outcome

_ORDER = {name: number for number, name in enumerate(LEVELS.values())}


def render_curriculum(curriculum: Curriculum) -> str:
    """The file: its head, then levels, organisers and rows in the order they have."""
    return "\n".join([*_head(curriculum), *_body(curriculum)]) + "\n"


def front_value(text: str) -> str:
    """A text as a front-matter value, in quotes where it would be read as something else."""
    plain = re.fullmatch(r"[A-Za-z][\w ,.()/'&-]*", text) and not text.endswith((" ", ","))
    words = text.lower() in ("true", "false", "null", "yes", "no", "on", "off")
    return text if plain and not words else json.dumps(text, ensure_ascii=False)


def one_line(text: str) -> str:
    """The text in one line, without what would end a row or open a new one."""
    return " ".join(text.split())


def _head(curriculum: Curriculum) -> Iterator[str]:
    also = ", ".join(front_value(each) for each in curriculum.also)
    values = [
        ("framework", front_value(curriculum.framework)),
        ("subject", front_value(curriculum.subject)),
        ("also", f"[{also}]" if also else ""),
        ("edition", front_value(curriculum.edition)),
        ("source", front_value(curriculum.source) if curriculum.source else ""),
        ("codes", "own" if curriculum.own_labels else ""),
        ("about", front_value(curriculum.about) if curriculum.about else ""),
    ]
    yield "---"
    yield from (f"{key}: {value}" for key, value in values if value)
    yield "---"


def _body(curriculum: Curriculum) -> Iterator[str]:
    yield ""
    yield f"# {one_line(curriculum.subject) or curriculum.name}"
    level, organiser = None, ""
    for outcome in _ordered(curriculum.outcomes):
        if outcome.level != level:
            level, organiser = outcome.level, ""
            yield from ("", f"## {_level_title(outcome.level)}")
            if not outcome.organiser:
                yield ""
        if outcome.organiser != organiser:
            organiser = outcome.organiser
            yield from ("", f"### {one_line(organiser)}", "")
        yield from _row(outcome, curriculum.edition)


def _ordered(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """By level, and inside a level by organiser, each where it first came."""
    listed = list(outcomes)
    places: dict[tuple[str, str], int] = {}
    levels: dict[str, int] = {}
    for outcome in listed:
        levels.setdefault(outcome.level, len(levels))
        places.setdefault((outcome.level, outcome.organiser), len(places))

    def place(outcome: Outcome) -> tuple[int, int, int, int]:
        named = bool(outcome.organiser)  # rows without an organiser come before any heading
        known = _ORDER.get(outcome.level, len(_ORDER))
        where = places[outcome.level, outcome.organiser]
        return known, levels[outcome.level], named, where

    return sorted(listed, key=place)


def _row(outcome: Outcome, edition: str) -> Iterator[str]:
    yield f"- **{outcome.code}** (grade {outcome.grade}) {one_line(outcome.about)}"
    if outcome.progression_from or outcome.progression_to:
        before, after = ", ".join(outcome.progression_from), ", ".join(outcome.progression_to)
        yield f"  - progression: {f'{before} -> {after}'.strip()}"
    yield from (f"  - misconception: {one_line(each)}" for each in outcome.misconceptions)
    yield from (f"  - assessment: {one_line(each)}" for each in outcome.assessment)
    if outcome.topics:
        yield f"  - topics: {', '.join(one_line(each) for each in outcome.topics)}"
    if outcome.edition != edition:
        yield f"  - edition: {outcome.edition}"
    yield from (f"  - note: {one_line(each)}" for each in outcome.notes)


def _level_title(level: str) -> str:
    return f"{level} level" if level in _ORDER else one_line(level) or "Outcomes"
