"""Which class a learner is in, as their own profile says it: the field `class`.

It is the name a teacher gives the class in Plan, such as `3B`. A learner without one belongs to no
class, and nothing of them is ever counted for one.
"""

import re
from dataclasses import replace

from paige.base.errors import BadInput
from paige.learner.profile import Profile

KEY = "class"
NONE = "none"
_NAME = re.compile(r"[^\W_][\w.-]{0,39}")


def class_of(profile: Profile) -> str:
    """The class of a learner; empty when there is none, or the file says something strange."""
    given = profile.extra.get(KEY)
    return given if isinstance(given, str) and _NAME.fullmatch(given) else ""


def with_class(profile: Profile, name: str) -> Profile:
    """The profile of somebody in a class; an empty name or `none` is no class. Raises: BadInput."""
    extra = {key: value for key, value in profile.extra.items() if key != KEY}
    wanted = name.strip()
    if wanted and wanted.casefold() != NONE:
        extra[KEY] = checked_class(wanted)
    return replace(profile, extra=extra)


def checked_class(name: str) -> str:
    """A name that a class can have. Raises: BadInput."""
    if _NAME.fullmatch(name):
        return name
    raise BadInput(
        f"`{name[:60]}` cannot be the name of a class",
        hint="Write it as your teacher does, such as 3B: letters, digits, dots and dashes.",
    )


def same_class(one: str, other: str) -> bool:
    """Whether two names mean one class, however they are written."""
    return bool(one) and one.strip().casefold() == other.strip().casefold()
