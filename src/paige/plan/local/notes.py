"""What Paige knows and tells beside a lesson: facts of the class and of memory, and where from."""

from collections.abc import Sequence

from paige.plan.local.brief import Brief, without_codes
from paige.plan.local.fit import levels_of
from paige.plan.local.topics import Topic

MOST_REMEMBERED = 3
MOST_OFTEN = 2


def facts(brief: Brief, topic: Topic | None = None) -> list[str]:
    """What is known of the class, and what had to be assumed."""
    if brief.set_aside:
        return ["You set aside what is known of the class, so the plan does not use it."]
    notes = [*_assumed(brief, topic)]
    if brief.profile is not None:
        notes += [f"Works in this class: {_quoted(each)}" for each in brief.profile.works]
    own = [each.text for each in brief.remembered if each.about == "class"]
    others = [each.text for each in brief.remembered if each.about != "class"]
    kept = [*own[-MOST_REMEMBERED:], *others[-MOST_REMEMBERED:]]
    notes += [f"From memory: {_quoted(each)}" for each in kept]
    return notes


def often(lines: Sequence[str]) -> list[str]:
    """What many of the class get wrong."""
    return [f"Often wrong in this class: {_quoted(each)}" for each in lines[:MOST_OFTEN]]


def said(brief: Brief) -> list[str]:
    """What the teacher added, which rules do not work into a lesson."""
    if not brief.said.strip():
        return []
    return [f"You added, for whoever goes on with it: {_quoted(brief.said)}"]


def near(brief: Brief, topics: Sequence[Topic]) -> list[str]:
    """Shipped lessons that a request comes near to, each by the title it can be asked for by."""
    return [
        f"Paige comes with “{topic.title}” ({topic.subject}{_levels(topic, brief)}). If you mean "
        "that lesson, ask for it by its title."
        for topic in topics
    ]


def _levels(topic: Topic, brief: Brief) -> str:
    levels = levels_of(topic, brief)
    return f", {' and '.join(levels)} level" if levels else ""


def _assumed(brief: Brief, topic: Topic | None) -> list[str]:
    if brief.profile is None:
        who = f"class {brief.class_id}" if brief.class_id else "a class"
        return [f"There is no profile of {who}: {brief.minutes} minutes were assumed."]
    if topic is not None and topic.curriculum not in brief.curricula:
        return [f"{topic.subject} is not a subject of {brief.class_id}'s profile."]
    return []


def _quoted(text: str) -> str:
    return f'"{" ".join(without_codes(text).split()).rstrip(".")}".'
