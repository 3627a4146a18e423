"""Gives a project its goal and its features without a model: what a person wrote as a list.

A list in markdown or several lines become features, in their order; what is indented below a
feature becomes its acceptance criteria, a heading above it its group. Prose is not split: what
in it is a feature, a reason or a wish takes somebody who understands it, so nothing comes back and
the person is asked for a list.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from paige.base.clock import Clock
from paige.base.ids import new_id
from paige.guard.state.evidence_files import machine_key
from paige.guard.state.features import write_features
from paige.guard.state.files import Damaged
from paige.orchestra.running.project_files import (
    conducting,
    features_from,
    items_from,
    read_list,
    read_state,
    write_state,
)
from paige.orchestra.values import MOST_FEATURES, Open, State

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


def new_run(now: Clock, randomness: Callable[[int], bytes]) -> str:
    """The id of a run of the orchestra."""
    return new_id(now(), randomness(10)).replace("-", "")[-12:]


def add_features(
    root: Path,
    data: Path,
    goal: str,
    items: tuple[Open, ...],
    *,
    now: Clock,
    randomness: Callable[[int], bytes],
) -> State:
    """Keep a goal and put features behind those there are; ids that are there stay as they are.

    Raises: Damaged, Conflict when another process conducts the project.
    """
    with conducting(root, now()):
        key = machine_key(data)
        listed = read_list(root)
        if isinstance(listed, Damaged):
            raise listed
        kept = read_state(root, key).state or State(run=new_run(now, randomness))
        there = kept.items or items_from(listed or (), {})
        known = {each.id.casefold() for each in there}
        fresh = tuple(each for each in items if each.id.casefold() not in known)
        state = replace(kept, goal=goal or kept.goal, items=(*there, *fresh))
        if state.phase == "all_complete" and fresh:
            state = replace(state, phase="session_start")
        if state.items:
            write_features(root, features_from(state, listed or ()))
        write_state(root, state, now(), key)
        return state
