"""JSON without the `json` package, which doubles the start of a process.

Reading uses the C scanner of the standard library; writing is a few lines of our own. The lists of
words that the guard goes by are JSON, too.
"""

import _json

Plain = dict[str, object] | list[object] | str | int | float | bool | None
_SPACE = " \t\n\r"


class _Rules:
    strict = False  # hosts send control characters inside strings
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: dict[str, str] = {}


_scan = _json.make_scanner(_Rules)  # type: ignore[arg-type]
_text = _json.encode_basestring_ascii


def loads(data: str) -> object:
    """The value in a text. Raises: ValueError."""
    start = 0
    length = len(data)
    while start < length and data[start] in _SPACE:
        start += 1
    try:
        value, end = _scan(data, start)
    except StopIteration as error:
        raise ValueError(f"no value at {error.value}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
    # The scanner says more where the `json` package is there; without it, it cannot even fail well.
    except (SystemError, ValueError):
        raise ValueError("not JSON") from None
    if data[end:].strip(_SPACE):
        raise ValueError(f"more than one value, from {end}")
    return value


def lists_of(name: str) -> dict:
    """The lists of words in a file of `shipped/guard/lists`."""
    package = __file__.replace("\\", "/").rpartition("/guard/fast/")[0]
    with open(f"{package}/shipped/guard/lists/{name}.json", "rb", 0) as file:
        found = loads(file.read().decode())
    assert isinstance(found, dict)
    return found


def dumps(value: object) -> str:
    """A value as one line. Raises: TypeError."""
    if isinstance(value, str):
        return _text(value)
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(str(k))}: {dumps(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(dumps(each) for each in value) + "]"
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def _number(value: float) -> str:
    # JSON has no way to say these.
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    return float.__repr__(value)
