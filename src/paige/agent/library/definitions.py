"""Typed reading of the keys of one definition: each value is right, or the author hears where not.

Messages carry `file:line`, and the hint says what to write instead.
"""

import difflib
import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import TypeVar

from paige.base.errors import BadInput
from paige.base.frontmatter import Value, read_front_matter

T = TypeVar("T")

# Claude Code reads the same files: these keys of its own are allowed in each of them.
SHARED_KEYS = (
    "name",
    "description",
    "allowed-tools",
    "argument-hint",
    "license",
    "metadata",
    "color",
)
MOST_MONEY = 10_000
SCHEMA_TYPES = ("object", "array", "string", "number", "integer", "boolean", "null")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


class Keys:
    """The front matter of one file, read key by key."""

    def __init__(self, text: str, file: str, own: tuple[str, ...]) -> None:
        """Raises: BadInput for a key that is neither `own` nor shared."""
        self._front = read_front_matter(text, file)
        self._own = own
        known = (*own, *SHARED_KEYS)
        for key in self._front.values:
            if key not in known:
                close = difflib.get_close_matches(key, known, n=1)
                hint = f"Did you mean `{close[0]}`?" if close else "Remove it."
                raise self._fail(key, f"the key `{key}` is not known here", hint)

    @property
    def body(self) -> str:
        """The text below the front matter."""
        return self._front.body

    @property
    def lines(self) -> Mapping[str, int]:
        """Where each key stands."""
        return self._front.lines

    def metadata(self) -> dict[str, Value]:
        """What the file says in keys that Paige does not use."""
        used = (*self._own, "name", "description")
        return {key: value for key, value in self._front.values.items() if key not in used}

    def name(self, expected: str) -> str:
        """The name a definition has by its place; a `name` key may only repeat it."""
        given = self.text("name", default=expected)
        if given != expected:
            raise self._fail("name", f"`name` is `{given}`", f"By its place it is `{expected}`.")
        if not _NAME.fullmatch(expected):
            hint = "Use letters, digits, `-` and `_`, at most 64."
            raise self._fail("name", f"`{expected}` cannot be a name", hint)
        return expected

    def text(self, key: str, *, default: str = "") -> str:
        """A text on one or several lines."""
        value = self._front.values.get(key)
        if value is None:
            return default
        if not isinstance(value, str):
            raise self._wrong(key, f'Put it in quotes: `{key}: "{value}"`.')
        return value.strip()

    def required(self, key: str) -> str:
        """A text that must be there."""
        value = self.text(key)
        if not value:
            raise self._fail(key, f"`{key}` is missing", f"Add a line `{key}: …`.")
        return value

    def choice(self, key: str, choices: tuple[T, ...], *, default: T | None = None) -> T:
        """One of the words of `choices`; required when there is no default."""
        value = self.required(key) if default is None else self.text(key, default=str(default))
        for choice in choices:
            if choice == value:
                return choice
        listed = ", ".join(f"`{choice}`" for choice in choices)
        raise self._wrong(key, f"Choose one of {listed}.")

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self._front.values.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self._wrong(key, "Write `true` or `false`.")
        return value

    def number(self, key: str, *, default: int, most: int) -> int:
        """A whole number from 1 to `most`."""
        value = self._front.values.get(key)
        if value is None:
            return default
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise self._wrong(key, f"Write a whole number from 1 to {most}.")
        return value

    def amount(self, key: str) -> float | None:
        """A sum of money above zero, or nothing."""
        value = self._front.values.get(key)
        if value is None:
            return None
        if isinstance(value, int | float) and value is not True and 0 < value <= MOST_MONEY:
            return float(value)
        raise self._wrong(key, f"Write a number above 0 and at most {MOST_MONEY}.")

    def words(self, key: str) -> tuple[str, ...]:
        """A list of texts, each once."""
        value = self._front.values.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            raise self._wrong(key, f"Write a list: `{key}: [one, two]`.")
        words: list[str] = []
        for item in value:
            if not isinstance(item, str) or not item.strip():
                raise self._fail(key, f"`{key}` holds `{item}`, which is no text", "Quote it.")
            if item in words:
                raise self._fail(key, f"`{key}` names `{item}` twice", "Remove one of them.")
            words.append(item)
        return tuple(words)

    def paths(self, key: str) -> tuple[str, ...]:
        """A list of paths that stay inside the folder they are used in."""
        return tuple(self._inside(key, path) for path in self.words(key))

    def path(self, key: str) -> str | None:
        """A path that stays inside the folder it is used in, or nothing."""
        given = self.text(key)
        return self._inside(key, given) if given else None

    def schema(self, key: str) -> dict[str, Value] | None:
        """A JSON Schema object, or nothing."""
        value = self._front.values.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self._wrong(key, "Write a JSON Schema: an object that begins with `type`.")
        kinds = value.get("type")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        if not kinds or any(kind not in SCHEMA_TYPES for kind in kinds):
            listed = ", ".join(f"`{kind}`" for kind in SCHEMA_TYPES)
            raise self._fail(key, f"`{key}` has no valid `type`", f"Choose one of {listed}.")
        return value

    def _inside(self, key: str, path: str) -> str:
        parts = PurePosixPath(path)
        if parts.is_absolute() or ".." in parts.parts or "\\" in path or "\0" in path:
            hint = "Write it relative to the workspace, with `/`, without `..`."
            raise self._fail(key, f"`{key}` names `{path}`, which leads out", hint)
        return path

    def _wrong(self, key: str, hint: str) -> BadInput:
        return self._fail(key, f"`{key}` is `{self._front.values.get(key)}`", hint)

    def _fail(self, key: str, message: str, hint: str) -> BadInput:
        return BadInput(f"{self._front.place(key)}: {message}", hint=hint)
