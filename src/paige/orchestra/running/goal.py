"""Breaks a goal down into features without a model: what a person wrote as a list is the list.

A list in markdown or several lines become features, in their order; what is indented below a
feature becomes its acceptance criteria, a heading above it its group. Prose is not split: what
in it is a feature, a reason or a wish takes somebody who understands it, so nothing comes back and
the person is asked for a list.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from paige.orchestra.values import MOST_FEATURES, Open

_ITEM = re.compile(
    r"^(?P<space>[ \t]*)(?:[-*+•]|\(?\d{1,3}[.)]|[a-z][.)])[ \t]+"
    r"(?:\[[ xX]\][ \t]+)?(?P<text>\S.*)$"
)
_HEADING = re.compile(r"^#{1,6}\s++(?P<text>(?=\S)[^\s#]*+(?:[\s#]++(?!$)[^\s#]++)*+)[\s#]*+$")
_NAMED = re.compile(r"^(?P<id>[A-Z][A-Z0-9]{0,9}-?\d{1,5})\s*[:.)-]\s+(?P<text>\S.*)$")
_LEAST_WORDS = 2
_MOST_TITLE = 120


@dataclass(slots=True)
class _Draft:
    text: str
    group: str = ""
    below: list[str] = field(default_factory=list[str])


def split_goal(goal: str, taken: Iterable[str] = ()) -> tuple[Open, ...]:
    """The features of a goal; none when it is no list. `taken` are ids already used."""
    drafts = _listed(goal) or _lines(goal)
    used = {each.casefold() for each in taken}
    made: list[Open] = []
    for draft in drafts[:MOST_FEATURES]:
        named = _NAMED.match(draft.text)
        text = named["text"] if named else draft.text
        id = named["id"] if named and named["id"].casefold() not in used else _free(used)
        used.add(id.casefold())
        made.append(_feature(id, text, draft))
    return tuple(made)


def is_list(goal: str) -> bool:
    """Whether somebody wrote the features down as a list already."""
    return bool(_listed(goal))


def _feature(id: str, text: str, draft: _Draft) -> Open:
    plain = " ".join(text.split())
    title = plain if len(plain) <= _MOST_TITLE else f"{plain[: _MOST_TITLE - 1]}…"
    return Open(
        id=id,
        title=title.rstrip(".。"),
        description=plain,
        group=draft.group,
        acceptance=tuple(draft.below),
    )


def _free(used: set[str]) -> str:
    number = 1
    while f"f{number}" in used:
        number += 1
    return f"F{number}"


def _listed(goal: str) -> list[_Draft]:
    drafts: list[_Draft] = []
    group, outer = "", 0
    for line in goal.expandtabs(4).splitlines():
        heading = _HEADING.match(line)
        item = _ITEM.match(line)
        if heading:
            group = heading["text"][:60] if drafts or group or _has_items(goal) else ""
        elif item:
            depth = len(item["space"])
            if drafts and depth > outer and drafts[-1].group == group:
                drafts[-1].below.append(" ".join(item["text"].split()))
                continue
            outer = depth
            drafts.append(_Draft(item["text"].strip(), group))
        elif drafts and line.strip() and line[:1] == " ":
            drafts[-1].text += f" {line.strip()}"  # a long item goes on in the next line
    groups = {each.group for each in drafts}
    if len(groups) == 1:  # one heading over everything is the title of the goal
        for each in drafts:
            each.group = ""
    return drafts


def _has_items(goal: str) -> bool:
    return any(_ITEM.match(line) for line in goal.splitlines())


def _lines(goal: str) -> list[_Draft]:
    lines = [line.strip() for line in goal.splitlines() if line.strip()]
    return _enough(lines)


def _enough(texts: list[str]) -> list[_Draft]:
    """Several texts that each say something; else they are no features."""
    return [_Draft(each) for each in texts] if len(texts) > 1 and all(map(_speaks, texts)) else []


def _speaks(text: str) -> bool:
    if len(text.split()) >= _LEAST_WORDS or len(text) > 12:
        return True
    return not text.isascii() and len(text) >= 4  # some languages put no spaces between words
