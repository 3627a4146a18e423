"""The features an initializer hands over, read strictly: what is not a plan is none."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from paige.base.errors import BadInput
from paige.orchestra.values import MOST_FEATURES, Open

MOST_TEXT = 4000
MOST_CRITERIA = 30
# An id names a folder and a branch too.
_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?")


def read_plan(features: Sequence[Mapping[str, Any]]) -> tuple[Open, ...]:
    """The features of a plan. Raises: BadInput naming the first that cannot be used."""
    if not features:
        raise BadInput("The plan has no features", hint="Hand over at least one feature.")
    if len(features) > MOST_FEATURES:
        raise BadInput(
            f"The plan has {len(features)} features", hint=f"Make at most {MOST_FEATURES} of them."
        )
    found: dict[str, Open] = {}
    for number, each in enumerate(features, 1):
        item = _feature(each, number)
        if item.id.casefold() in found:
            raise BadInput(
                f"The plan has the id `{item.id}` twice", hint="Give every feature its own id."
            )
        found[item.id.casefold()] = item
    return tuple(found.values())


def _feature(given: Mapping[str, Any], number: int) -> Open:
    id = given.get("id")
    if not isinstance(id, str) or _ID.fullmatch(id) is None:
        raise BadInput(
            f"Feature {number} of the plan has the id `{id}`",
            hint="Use letters, digits, `-` and `_`, at most 64 of them.",
        )
    title = _text(given, "title", id)
    if not title:
        raise BadInput(f"Feature `{id}` has no title", hint="Say in a few words what it is.")
    return Open(
        id=id,
        title=" ".join(title.split())[:200],
        description=_text(given, "description", id),
        group=" ".join(_text(given, "group", id).split())[:60],
        acceptance=_criteria(given.get("acceptance", []), id),
    )


def _text(given: Mapping[str, Any], name: str, id: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise BadInput(f"`{name}` of feature `{id}` is {value!r}", hint="Write a text.")
    return value.strip()[:MOST_TEXT]


def _criteria(given: object, id: str) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise BadInput(f"`acceptance` of feature `{id}` is no list", hint="Write a list of texts.")
    texts = [str(each).strip()[:MOST_TEXT] for each in given[:MOST_CRITERIA]]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return tuple(each for each in texts if each)
