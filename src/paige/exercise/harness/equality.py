"""Keeps objects honest where tests and code share a process: one equal to anything passes any test.

An object of the learner is not equal to a plain value, such as a number or a list, unless the tests
name its class; and then not if it says the same of just any value.
"""

import builtins
import functools
import os
import secrets
import sys
from collections.abc import Callable
from typing import Any

PLAIN = (int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, frozenset)


class Other:
    """Something that nothing is equal to."""

    __slots__ = ()


def honest(original: Callable, *, named: bool) -> Callable:
    """The same comparison, but false for objects that are equal to just anything."""

    @functools.wraps(original)
    def __eq__(self: object, other: object) -> object:
        answer = original(self, other)
        if answer is NotImplemented or not answer or type(self) in type(other).__mro__:
            return answer
        if type(other) in PLAIN and not named:
            base: Any = next((kind for kind in type(self).__mro__ if kind in PLAIN), None)
            return base.__eq__(self, other) if base is not None else False
        return False if any(_is_equal(original, self, each) for each in _strange()) else answer

    __eq__.honest = True  # type: ignore[attr-defined]
    return __eq__


def _strange() -> tuple:
    number = secrets.randbits(48)
    return Other(), number, number / 7, secrets.token_hex(), [number]


def _is_equal(compare: Callable, one: object, other: object) -> bool:
    try:
        return compare(one, other) is True
    except Exception:  # noqa: BLE001 - it looks at the other, so it is an honest one
        return False


def make_honest(plan: dict) -> Callable[[], bool]:
    """From now on every class of a learner is honest.

    Returns a function that looks at classes that were made or changed in another way than by a
    class statement, and says whether one of them is equal to anything.
    """
    build = builtins.__build_class__
    named = set(plan["named"])
    ours = {id(each) for each in all_classes(object)}

    def keep_honest(made: type) -> bool:
        own = type.__dict__["__dict__"].__get__(made).get("__eq__")
        code = getattr(own, "__code__", None)
        if code is None or hasattr(own, "honest") or not _is_learners(code.co_filename, plan):
            return False
        type.__setattr__(made, "__eq__", honest(own, named=made.__name__ in named))
        return equals_anything(made, own)

    def __build_class__(function, name, *bases, **others):
        made = build(function, name, *bases, **others)
        if isinstance(made, type):
            keep_honest(made)
        return made

    builtins.__build_class__ = __build_class__

    def never_equal() -> bool:
        learners = [made for made in all_classes(object) if id(made) not in ours]
        return sum(keep_honest(made) for made in learners) > 0  # every one is made honest

    return never_equal


def _is_learners(path: str, plan: dict) -> bool:
    if path.startswith((sys.base_prefix, "<")) or "site-packages" in path:
        return False
    return os.path.basename(path) not in plan["tests"]


def all_classes(top: type) -> list[type]:
    """Every class there is below one."""
    found, open_ = [], [top]
    while open_:
        below = type.__subclasses__(open_.pop())
        found += below
        open_ += below
    return found


def equals_anything(made: type, compare: Callable) -> bool:
    """Whether the objects of a class are equal to something strange."""
    base: Any = next((kind for kind in made.__mro__ if kind in PLAIN), object)
    try:
        one = base.__new__(made)
    except Exception:  # noqa: BLE001 - then there are no such objects
        return False
    return any(_is_equal(compare, one, each) for each in _strange())
