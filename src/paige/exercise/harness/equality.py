"""Keeps objects honest where tests and code share a process: one equal to anything passes any test.

An object of the learner is not equal to a plain value, such as a number or a list, unless the tests
name its class; and then not if it says the same of just any value.
"""

# ruff: noqa: ANN401 - what stands in a class is of any type
import builtins
import functools
import os
import secrets
import sys
from collections.abc import Callable
from types import WrapperDescriptorType
from typing import Any

PLAIN = (int, float, complex, str, bytes, bool, type(None), list, tuple, dict, set, frozenset)
TOOLS = ("unittest", "_pytest", "collections")
_COMPUTING = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "and", "or",
              "xor", "matmul", "lshift", "rshift")  # fmt: skip
WATCHED = frozenset(
    f"__{before}{name}__"
    for before, names in (("", ("eq", "ne", "lt", "le", "gt", "ge")), *(
        (before, _COMPUTING) for before in ("", "r", "i")))
    for name in names
)  # fmt: skip


class Other:
    """Something that nothing is equal to."""

    __slots__ = ()


def honest(original: Any, name: str, *, named: bool, from_tests: Callable) -> Callable:
    """The same method, but one that tells tests only what is so.

    The learner's own code may compare and compute with it as it likes.
    """

    def method(self: object, *others: object) -> object:
        if not from_tests(sys._getframe(1).f_code.co_filename):
            return _call(original, self, *others)
        other = others[0] if others else Other()
        if type(other) in PLAIN and not named:
            base: Any = next((kind for kind in type(self).__mro__ if kind in PLAIN), object)
            if base is not object and hasattr(base, name):
                return getattr(base, name)(self, *others)
            return {"__eq__": False, "__ne__": True}.get(name, NotImplemented)
        answer = _call(original, self, *others)
        if name != "__eq__" or answer is NotImplemented or not answer:
            return answer
        if type(self) in type(other).__mro__:
            return answer
        return False if any(_is_equal(original, self, each) for each in _strange()) else answer

    functools.update_wrapper(method, original, updated=())
    return method


def _call(method: Any, self: object, *others: object) -> object:
    """Call what stands in a class as Python does."""
    bind = getattr(type(method), "__get__", None)
    return (bind(method, self, type(self)) if bind else method)(*others)


def _strange() -> tuple:
    number = secrets.randbits(48)
    return Other(), number, number / 7, secrets.token_hex(), [number]


def _is_equal(compare: Any, one: object, other: object) -> bool:
    try:
        return _call(compare, one, other) is True
    except Exception:  # noqa: BLE001 - it looks at the other, so it is an honest one
        return False


def make_honest(plan: dict) -> Callable[[], bool]:
    """From now on every class of a learner is honest.

    Returns a function that looks at classes that were made or changed in another way than by a
    class statement, and says whether one of them is equal to anything.
    """
    build = builtins.__build_class__
    named = set(plan["named"])
    folders = tuple(os.path.dirname(sys.modules[each].__file__ or "") for each in TOOLS)
    ours = {id(each) for each in all_classes(object)}
    # Looking at what a mock has not been asked for yet would make a mock, whose class has more.
    unasked = getattr(sys.modules.get("unittest.mock"), "MagicProxy", None)

    kept: dict[int, Callable] = {}  # what was made here, by its id

    def from_tests(path: str) -> bool:
        return os.path.basename(path) in plan["tests"] or path.startswith(folders)

    def keep_honest(made: type) -> bool:
        space = type.__dict__["__dict__"].__get__(made)
        found = False
        for name in WATCHED & space.keys():
            own = space[name]
            path = getattr(getattr(own, "__code__", None), "co_filename", "")
            if own is None or id(own) in kept or isinstance(own, WrapperDescriptorType):
                continue
            if type(own) is unasked or os.path.basename(path) in plan["tests"]:
                continue
            is_named = made.__name__ in named
            method = honest(own, name, named=is_named, from_tests=from_tests)
            kept[id(method)] = method
            type.__setattr__(made, name, method)
            found = found or (name == "__eq__" and equals_anything(made, own))
        return found

    def __build_class__(function, name, *bases, **others):
        made = build(function, name, *bases, **others)
        if isinstance(made, type):
            keep_honest(made)
        return made

    builtins.__build_class__ = __build_class__
    keep_approximate(plan)

    def never_equal() -> bool:
        learners = [made for made in all_classes(object) if id(made) not in ours]
        return sum(keep_honest(made) for made in learners) > 0  # every one is made honest

    return never_equal


def keep_approximate(plan: dict) -> None:
    """Only tests make values that others are about equal to: such a one may be equal to all."""
    kinds = reversed(type(sys.modules["pytest"].approx(1)).__mro__)
    kind: Any = next(kind for kind in kinds if kind.__name__.startswith("Approx"))
    original = kind.__init__
    own = os.path.dirname(sys.modules["_pytest"].__file__ or "")
    tests = (*plan["tests"], *plan["must_fail"])

    def __init__(self: object, *args: object, **named: object) -> None:
        frame: Any = sys._getframe(1)
        while frame.f_code.co_filename.startswith(own):
            frame = frame.f_back
        if os.path.basename(frame.f_code.co_filename) not in tests:
            raise TypeError("Only tests may say what is about equal")
        original(self, *args, **named)

    kind.__init__ = __init__


def all_classes(top: type) -> list[type]:
    """Every class there is below one."""
    found, open_ = [], [top]
    while open_:
        below = type.__subclasses__(open_.pop())
        found += below
        open_ += below
    return found


def equals_anything(made: type, compare: Any) -> bool:
    """Whether the objects of a class are equal to something strange."""
    base: Any = next((kind for kind in made.__mro__ if kind in PLAIN), object)
    try:
        one = base.__new__(made)
    except Exception:  # noqa: BLE001 - then there are no such objects
        return False
    return any(_is_equal(compare, one, each) for each in _strange())
