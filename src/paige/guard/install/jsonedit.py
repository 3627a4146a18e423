"""Changes JSON by small edits: puts an entry in or cuts one out, and leaves every other sign alone.

Settings files belong to people: comments, odd spacing and line ends must survive. A file is thus
never written from its values; it is read with the place of every value, and text is put in at one
place or cut out of it. Comments and commas before a closing bracket are read, as some hosts allow
them.
"""

import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from paige.guard.install.edits import Span, line_end

Path = tuple[str, ...]
_INDENT = re.compile(r'\n([ \t]+)["\[{]')
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
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


def put(text: str, path: Path, value: object) -> Span:
    """The change that sets a key which is not there yet, with the objects on the way to it.

    Raises: JsonFault when something else stands on the way.
    """
    node = parse(text)
    if node is None:
        return Span(len(text), "", _rendered(_nested(path, value), text, "") + line_end(text))
    for depth, key in enumerate(path):
        _demand(node.members is not None, f"`{_name(path[:depth])}` is no object", text, node)
        inner = node.member(key)
        if inner is None:
            return _into(text, node, key, _nested(path[depth + 1 :], value))
        node = inner
    raise JsonFault(f"`{_name(path)}` is there already", text, node.start)


def append(text: str, path: Path, value: object) -> Span:
    """The change that adds an element to a list, with what leads to it. Raises: JsonFault."""
    node = parse(text)
    for depth, key in enumerate(path):
        if node is None:
            break
        _demand(node.members is not None, f"`{_name(path[:depth])}` is no object", text, node)
        node = node.member(key)
    if node is None:
        return put(text, path, [value])
    _demand(node.items is not None, f"`{_name(path)}` is no list", text, node)
    return _into(text, node, None, value)


def find(text: str, path: Path) -> Node | None:
    """What stands at a path, if anything does. Raises: JsonFault."""
    node = parse(text)
    for key in path:
        node = None if node is None else node.member(key)
    return node


def cut_item(text: str, path: Path, index: int) -> str:
    """The text without one element of a list."""
    node = find(text, path)
    places = [(each.start, each.end) for each in (node and node.items) or ()]
    return _cut(text, node, places, index)


def cut_member(text: str, path: Path) -> str:
    """The text without a key of an object."""
    node = find(text, path[:-1])
    members = (node and node.members) or ()
    places = [(each.start, each.node.end) for each in members]
    at = [number for number, each in enumerate(members) if each.key == path[-1]]
    return _cut(text, node, places, at[-1]) if at else text


def cut_where(text: str, path: Path, ours: Callable[[object], bool]) -> str:
    """The text without the elements of a list that are ours."""
    node = find(text, path)
    for index in reversed(range(len((node and node.items) or ()))):
        if node is not None and node.items is not None and ours(node.items[index].value):
            text = cut_item(text, path, index)
    return text


def _cut(text: str, node: Node | None, places: list[tuple[int, int]], index: int) -> str:
    if node is None:
        return text
    start, end = places[index]
    if len(places) == 1:
        inside = text[node.start + 1 : start] + _no_comma(text[end : node.end - 1])
        kept = "" if not inside.strip() else inside
        return text[: node.start + 1] + kept + text[node.end - 1 :]
    if index:
        before = places[index - 1][1]
        gap = _no_comma(text[before:start])
        return text[:before] + (gap if gap.strip() else "") + text[end:]
    after = places[1][0]
    gap = _no_comma(text[end:after])
    return text[:start] + (gap.lstrip() if gap.strip() else "") + text[after:]


def _no_comma(gap: str) -> str:
    """What stands between two elements, without the comma; one in a comment stays."""
    hidden = _COMMENT.sub(lambda found: " " * len(found.group()), gap)
    at = hidden.find(",")
    return gap if at < 0 else gap[:at] + gap[at + 1 :]


def _into(text: str, node: Node, key: str | None, value: object) -> Span:
    """The change that adds a last element to an object (with a key) or to a list."""
    ends = [each.node.end for each in node.members or ()] or [each.end for each in node.items or ()]
    flat = "\n" not in text[: node.end] or (bool(ends) and "\n" not in text[node.start : node.end])
    base = _indent_at(text, node.start)
    label = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
    if flat:
        made = label + json.dumps(value, ensure_ascii=False)
        return Span(ends[-1], "", f", {made}") if ends else Span(node.start + 1, "", made)
    deeper = _indent_at(text, ends[-1] - 1) if ends else base + _unit(text)
    made = label + _rendered(value, text, deeper)
    line = line_end(text) + deeper
    if not ends:
        inside = text[node.start + 1 : node.end - 1]
        close = "" if "\n" in inside and not inside.strip() else line_end(text) + base
        return Span(node.start + 1, "", f"{line}{made}{close}")
    rest = _COMMENT.sub(lambda found: " " * len(found.group()), text[ends[-1] : node.end - 1])
    at = rest.find(",")
    # Some files have a comma before the bracket: what comes goes behind it.
    return (
        Span(ends[-1] + at + 1, "", line + made)
        if at >= 0
        else Span(ends[-1], "", f",{line}{made}")
    )


def _indent_at(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _unit(text: str) -> str:
    found = _INDENT.search(text)
    return found.group(1) if found else "  "


def _rendered(value: object, text: str, indent: str) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=_unit(text)).split("\n")
    return (line_end(text) + indent).join(lines)


def _nested(path: Path, value: object) -> object:
    for key in reversed(path):
        value = {key: value}
    return value


def _name(path: Path) -> str:
    return ".".join(path) or "the whole"


def _demand(fits: bool, problem: str, text: str, node: Node) -> None:
    if not fits:
        raise JsonFault(problem, text, node.start)
