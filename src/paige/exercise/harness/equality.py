"""Keeps objects honest: one that is equal to everything would pass any test."""

import builtins
import functools
import os
import sys
from collections.abc import Callable


class Other:
    """Something that nothing is equal to."""

    __slots__ = ()


def honest(original: Callable) -> Callable:
    """The same comparison, but false for objects that are equal to just anything."""

    @functools.wraps(original)
    def __eq__(self: object, other: object) -> object:
        answer = original(self, other)
        if answer is NotImplemented or isinstance(other, type(self)) or not answer:
            return answer
        try:
            again = original(self, Other())
        except Exception:  # noqa: BLE001 - it looks at the other, so it is an honest one
            return answer
        return False if again is not NotImplemented and again else answer

    return __eq__


def make_honest(tests: list[str]) -> Callable[[], bool]:
    """From now on every class statement of a learner makes honest classes.

    Returns a function that says whether a class was made in another way and is equal to anything.
    """
    build = builtins.__build_class__
    old = {id(each) for each in all_classes(object)}

    def __build_class__(function, name, *bases, **others):
        made = build(function, name, *bases, **others)
        own = type.__dict__["__dict__"].__get__(made) if isinstance(made, type) else {}
        if callable(own.get("__eq__")) and _is_learners(function.__code__.co_filename, tests):
            type.__setattr__(made, "__eq__", honest(own["__eq__"]))
            old.add(id(made))
        return made

    builtins.__build_class__ = __build_class__

    def never_equal() -> bool:
        for made in all_classes(object):
            if id(made) not in old:
                old.add(id(made))
                if equals_anything(made):
                    return True
        return False

    return never_equal


def _is_learners(path: str, tests: list[str]) -> bool:
    if path.startswith((sys.base_prefix, "<frozen")) or "site-packages" in path:
        return False
    return os.path.basename(path) not in tests


def all_classes(top: type) -> list[type]:
    """Every class there is below one."""
    found, open_ = [], [top]
    while open_:
        below = type.__subclasses__(open_.pop())
        found += below
        open_ += below
    return found


def equals_anything(made: type) -> bool:
    """Whether a class that was made without a class statement is equal to something strange."""
    own = type.__dict__["__dict__"].__get__(made).get("__eq__")
    if type(own) is not type(equals_anything):
        return False
    try:
        return own(object.__new__(made), Other()) is True
    except Exception:  # noqa: BLE001 - whatever it does, it is not equal
        return False
