"""Values on their way between the tests and the code they test, which run in two processes.

A value is either plain, of exactly one of the types here, and then arrives as what it is; or it is
somebody's object, and then only its number travels. So nothing that code returns can bring along a
comparison of its own.
"""

# ruff: noqa: ANN401 - a value is of any type
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from pathlib import PosixPath
from typing import Any

_SMALL = 2**53
_SEQUENCES: dict[str, Callable] = {
    "list": list, "tuple": tuple, "set": set, "frozenset": frozenset,
}  # fmt: skip
_MAPPINGS: dict[str, Callable] = {
    "dict": dict, "Counter": Counter, "OrderedDict": OrderedDict, "defaultdict": defaultdict,
}  # fmt: skip
_FACTORIES = {kind.__name__: kind for kind in (int, list, set, dict, str, float, bool, tuple)}
_MADE: dict[type, tuple[Callable, Callable]] = {
    complex: (lambda it: [it.real, it.imag], lambda parts: complex(*parts)),
    bytes: (lambda it: it.hex(), bytes.fromhex),
    bytearray: (lambda it: it.hex(), bytearray.fromhex),
    range: (lambda it: [it.start, it.stop, it.step], lambda parts: range(*parts)),
    Decimal: (str, Decimal),
    Fraction: (lambda it: [it.numerator, it.denominator], lambda parts: Fraction(*parts)),
    datetime: (lambda it: it.isoformat(), datetime.fromisoformat),
    date: (lambda it: it.isoformat(), date.fromisoformat),
    time: (lambda it: it.isoformat(), time.fromisoformat),
    timedelta: (
        lambda it: [it.days, it.seconds, it.microseconds],
        lambda parts: timedelta(*parts),
    ),
    PosixPath: (str, PosixPath),
}
_BY_NAME = {kind.__name__: made for kind, (_, made) in _MADE.items()}
_KINDS = {Counter: "Counter", OrderedDict: "OrderedDict", defaultdict: "defaultdict", dict: "dict",
          list: "list", tuple: "tuple", set: "set", frozenset: "frozenset",
          deque: "deque"}  # fmt: skip
MUTABLE = (list, dict, set, bytearray, deque, Counter, OrderedDict, defaultdict)
# Python's own classes and values that are the same on both sides.
_KNOWN: dict[str, Any] = {
    **{kind.__name__: kind for kind in (*_KINDS, *_MADE, *_FACTORIES.values(), object, timezone)},
    "Ellipsis": Ellipsis,
    "NotImplemented": NotImplemented,
}


def pack(value: object, other: Callable[[Any], object], depth: int) -> object:
    """A value as JSON, `depth` levels at most; `other` stands for what is not plain."""
    kind: Any = type(value)
    if value is None or kind in (bool, str, float) or (kind is int and abs(value) < _SMALL):  # type: ignore[arg-type]
        return value
    if kind is int:
        return ["int", hex(value)]  # type: ignore[arg-type]
    if depth == 0:
        raise ValueError("a value is nested too deeply")
    if kind in _KINDS:
        held: Any = value
        if isinstance(held, dict):
            rows = [[pack(it, other, depth - 1) for it in pair] for pair in held.items()]
        else:
            rows = [pack(each, other, depth - 1) for each in held]
        more = getattr(getattr(value, "default_factory", None), "__name__", None)
        return [_KINDS[kind], rows, getattr(value, "maxlen", more)]
    if kind in _MADE:
        return [kind.__name__, _MADE[kind][0](value)]
    known = next((name for name, each in _KNOWN.items() if value is each), None)
    return other(value) if known is None else ["known", known]


def unpack(data: Any, other: Callable[[list], object]) -> Any:
    """The value that some JSON stands for; `other` finds what is not plain. Raises: ValueError."""
    if not isinstance(data, list):
        if isinstance(data, dict):
            raise ValueError("this is no value")
        return data
    kind = data[0]
    if kind == "int":
        return int(data[1], 16)
    if kind == "known":
        return _KNOWN[data[1]]
    if kind == "deque":
        return deque((unpack(each, other) for each in data[1]), data[2])
    if kind in _SEQUENCES:
        return _SEQUENCES[kind](unpack(each, other) for each in data[1])
    if kind in _MAPPINGS:
        pairs = ((unpack(key, other), unpack(value, other)) for key, value in data[1])
        if kind == "defaultdict":
            return defaultdict(_FACTORIES.get(data[2]), pairs)
        return _MAPPINGS[kind](dict(pairs) if kind == "Counter" else pairs)
    return _BY_NAME[kind](data[1]) if kind in _BY_NAME else other(data)


def put_back(there: Any, now: Any) -> None:
    """Let what was changed on the other side look like that here as well."""
    if there == now:
        return
    there.clear()
    (there.update if hasattr(there, "update") else there.extend)(now)
