"""Reads JSON with the place of every value, so that a settings file can be changed by small edits.

Settings files belong to people: comments, odd spacing and line ends must survive. A file is thus
never written from its values; text is put in at one place or cut out of it. Comments and commas
before a closing bracket are read, as some hosts allow them.
"""

import copy
import json
import re
from dataclasses import dataclass
from functools import lru_cache

_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null")
_MOST_DEPTH = 100


class JsonFault(Exception):
    """A text that is no JSON: what is wrong and where."""

    def __init__(self, problem: str, text: str, at: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = text.count("\n", 0, at) + 1


@dataclass(frozen=True, slots=True)
class Member:
    """One key of an object and its value; `start` is where the key begins."""

    key: str
    start: int
    node: "Node"


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its place. `members` are set for an object, `items` for a list."""

    value: object
    start: int
    end: int
    members: tuple[Member, ...] | None = None
    items: "tuple[Node, ...] | None" = None

    def member(self, key: str) -> "Node | None":
        """The value of a key; the last one where a key stands twice, as every reader takes it."""
        found = [each.node for each in self.members or () if each.key == key]
        return found[-1] if found else None


@lru_cache(maxsize=8)  # an edit looks at the same text several times
def parse(text: str) -> Node | None:
    """The value of a text; nothing when there is only space in it. Raises: JsonFault."""
    reader = _Reader(text)
    start = reader.space(0)
    if start == len(text):
        return None
    node = reader.value(start, 0)
    end = reader.space(node.end)
    if end != len(text):
        raise JsonFault("there is more text after the end", text, end)
    return node


def value_of(text: str) -> object:
    """The plain value of a text; an empty object when there is none. Raises: JsonFault."""
    node = parse(text)
    return {} if node is None else copy.deepcopy(node.value)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def space(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def value(self, at: int, depth: int) -> Node:
        if depth > _MOST_DEPTH:
            raise JsonFault("it is nested too deeply", self.text, at)
        sign = self.text[at : at + 1]
        if sign == "{":
            return self._object(at, depth)
        if sign == "[":
            return self._list(at, depth)
        if sign == '"':
            text, end = self._string(at)
            return Node(text, at, end)
        found = _PLAIN.match(self.text, at)
        if found is None:
            raise JsonFault("a value is missing or is not JSON", self.text, at)
        return Node(json.loads(found.group()), at, found.end())

    def _string(self, at: int) -> tuple[str, int]:
        found = _STRING.match(self.text, at)
        if found is None:
            raise JsonFault("a text in quotes is missing or never ends", self.text, at)
        try:
            return json.loads(found.group()), found.end()
        except ValueError as error:
            raise JsonFault("a text has a sign that JSON does not allow", self.text, at) from error

    def _object(self, start: int, depth: int) -> Node:
        members: list[Member] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != "}":
            key, end = self._string(at)
            colon = self.space(end)
            if self.text[colon : colon + 1] != ":":
                raise JsonFault(f'a colon is missing after "{key}"', self.text, colon)
            node = self.value(self.space(colon + 1), depth + 1)
            members.append(Member(key, at, node))
            at = self._next(node.end, "}")
        value = {each.key: each.node.value for each in members}
        return Node(value, start, at + 1, members=tuple(members))

    def _list(self, start: int, depth: int) -> Node:
        items: list[Node] = []
        at = self.space(start + 1)
        while self.text[at : at + 1] != "]":
            items.append(self.value(at, depth + 1))
            at = self._next(items[-1].end, "]")
        return Node([each.value for each in items], start, at + 1, items=tuple(items))

    def _next(self, end: int, closing: str) -> int:
        """Where the next element begins, or the closing bracket stands."""
        at = self.space(end)
        if self.text[at : at + 1] == ",":
            return self.space(at + 1)
        if self.text[at : at + 1] != closing:
            raise JsonFault(f"a comma or `{closing}` is missing", self.text, at)
        return at
