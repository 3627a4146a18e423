"""What is to stand in one file of a host: how it is put in, found again and taken out.

A plan is a pure function of texts. Entries of others are never touched: a hook of ours is known by
the program it starts, and a key that somebody else has set stays as it is.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from paige.guard.install import jsonedit, tomledit
from paige.guard.install.commands import HookCommand, is_ours
from paige.guard.install.edits import Span
from paige.guard.install.jsonedit import Node, value_of
from paige.guard.install.manifests import HostEvent, Profile
from paige.guard.install.tomledit import Table

Kind = Literal["json", "toml", "whole"]
Keys = tuple[str, ...]
HOOKS = "hooks"
NOTE = "Paige, made by `paige install`; `paige uninstall` takes it away."
_OUR_ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/mcp")


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to install for, where, and what."""

    cli: str
    home: Path
    data: Path
    project: Path | None
    environ: Mapping[str, str]
    command: HookCommand
    mcp_url: str
    parts: frozenset[str]
    profile: Profile
    events: Mapping[str, HostEvent]
    windows: bool = False


@dataclass(frozen=True, slots=True)
class Addition:
    """What a plan changes in a text, and what a person should know about it."""

    spans: tuple[Span, ...]
    notes: tuple[str, ...] = ()


class _Plan:
    """What a plan says where its kind of file has nothing more to say."""

    __slots__ = ()

    def had(self, text: str) -> tuple[Keys, ...]:
        """The containers we put something into that were there before."""
        return ()

    def blank(self, text: str) -> bool:
        """Whether nothing is left."""
        return not text.strip("\ufeff \t\r\n")


@dataclass(frozen=True, slots=True)
class JsonPlan:
    """Hooks by event, and keys to set where nobody has set them."""

    path: Path
    hooks: tuple[tuple[str, object], ...] = ()
    keys: tuple[tuple[Keys, object], ...] = ()
    opening: tuple[tuple[Keys, object], ...] = ()  # what the file itself needs, not ours alone
    kind: Kind = "json"

    def add(self, text: str) -> Addition:
        """The changes that put everything in. Raises: JsonFault."""
        spans: list[Span] = []
        notes = self.kept(text)
        for keys, value in (*self.opening, *self.keys):
            if jsonedit.find(text, keys) is None:
                text = _grown(text, jsonedit.put(text, keys, value), spans)
        if self.hooks and jsonedit.find(text, (HOOKS,)) is None:
            whole = {event: [entry] for event, entry in self.hooks}
            _grown(text, jsonedit.put(text, (HOOKS,), whole), spans)
            return Addition(tuple(spans), notes)
        for event, entry in self.hooks:
            text = _grown(text, jsonedit.append(text, (HOOKS, event), entry), spans)
        return Addition(tuple(spans), notes)

    def kept(self, text: str) -> tuple[str, ...]:
        """What is said about keys that somebody else has set."""
        there = [(keys, value, jsonedit.find(text, keys)) for keys, value in self.keys]
        return tuple(
            f"`{'.'.join(keys)}` in `{self.path}` was there already; it stays."
            for keys, value, node in there
            if node is not None and not _same_key(node.value, value)
        )

    def present(self, text: str) -> bool:
        """Whether everything is there already, and nothing old of ours."""
        there = our_hooks(text)
        wanted = [(event, handler) for event, entry in self.hooks for handler in handlers(entry)]
        if _sorted(there) != _sorted(wanted):
            return False
        nodes = [(jsonedit.find(text, keys), value) for keys, value in self.keys]
        # Another port is one of ours that has to be renewed; anything else is somebody's own.
        return all(
            node is not None and (node.value == value or not _same_key(node.value, value))
            for node, value in nodes
        )

    def remove(self, text: str, had: Iterable[Keys] = ()) -> str:
        """The text without what is ours."""
        before = text
        text = without_hooks(text)
        for keys, value in self.keys:
            node = jsonedit.find(text, keys)
            if node is not None and _same_key(node.value, value):
                text = jsonedit.cut_member(text, keys)
        if text == before:
            return text
        kept = set(had)
        events = [(HOOKS, event) for event in _events(before)]
        paths = {*events, (HOOKS,), *(keys[:-1] for keys, _ in self.keys)}
        for keys in sorted(paths - kept - {()}, key=len, reverse=True):
            node = jsonedit.find(text, keys)
            if node is not None and not node.members and not node.items:
                text = jsonedit.cut_member(text, keys)
        return text

    def had(self, text: str) -> tuple[Keys, ...]:
        """The containers we put something into that were there before."""
        paths = [(HOOKS,), *((HOOKS, event) for event, _ in self.hooks)]
        paths += [keys[:-1] for keys, _ in self.keys if keys[:-1]]
        return tuple(dict.fromkeys(keys for keys in paths if jsonedit.find(text, keys)))

    def blank(self, text: str) -> bool:
        """Whether nothing is left that anybody else has written."""
        rest = value_of(text)
        opening = {keys[0]: value for keys, value in self.opening}
        return isinstance(rest, dict) and all(opening.get(key) == rest[key] for key in rest)


@dataclass(frozen=True, slots=True)
class TomlPlan(_Plan):
    """Tables at the end of a file."""

    path: Path
    tables: tuple[Table, ...]
    kind: Kind = "toml"

    def add(self, text: str) -> Addition:
        """The changes that put everything in. Raises: TomlFault."""
        there = tomledit.read(text)
        free = [each for each in self.tables if tomledit.at(there, each[0]) is None]
        taken = [each for each in self.tables if tomledit.at(there, each[0]) not in (None, each[1])]
        notes = [
            f"`{'.'.join(path)}` in `{self.path}` was there already; it stays." for path, _ in taken
        ]
        return Addition(tuple(tomledit.add(text, free, NOTE)), tuple(notes))

    def present(self, text: str) -> bool:
        """Whether everything is there already."""
        there = tomledit.read(text)
        return all(tomledit.at(there, path) == values for path, values in self.tables)

    def remove(self, text: str, had: Iterable[Keys] = ()) -> str:
        """The text without our tables."""
        return tomledit.cut(text, self.tables, NOTE)


@dataclass(frozen=True, slots=True)
class WholePlan(_Plan):
    """A file that is ours from its first sign to its last."""

    path: Path
    content: str
    kind: Kind = "whole"
    shared: bool = field(default=False)  # other hosts may use the very same file

    def add(self, text: str) -> Addition:
        """The changes that put everything in; a file of somebody else stays."""
        if not text:
            return Addition((Span(0, "", self.content),) if self.content else ())
        if text == self.content:
            return Addition(())
        return Addition((), (f"`{self.path}` is not the one of Paige; it stays.",))

    def present(self, text: str) -> bool:
        """Whether the file is as it should be."""
        return text == self.content

    def remove(self, text: str, had: Iterable[Keys] = ()) -> str:
        """Nothing when it is as we made it, else all of it."""
        return "" if text == self.content else text

    def blank(self, text: str) -> bool:
        """Whether nothing is left."""
        return not text


AnyPlan = JsonPlan | TomlPlan | WholePlan
Step = Callable[[Mapping[Path, str]], AnyPlan]
"""A plan, given the texts of the files that were planned before it."""


def our_hooks(text: str) -> list[tuple[str, object]]:
    """Every hook of ours in a text, with its event. Raises: JsonFault."""
    return [
        (event, handler)
        for event, items in _events(text).items()
        for entry in items
        for handler in handlers(entry.value)
        if is_ours(handler)
    ]


def handlers(entry: object) -> list[object]:
    """The hooks of an entry: hosts nest them in a group, or write them flat."""
    inner = entry.get(HOOKS) if isinstance(entry, dict) else None
    return list(inner) if isinstance(inner, list) else [entry]


def without_hooks(text: str) -> str:
    """The text without our hooks; a group that holds others keeps those."""
    for event, items in _events(text).items():
        for index in reversed(range(len(items))):
            found = handlers(items[index].value)
            if found and all(is_ours(each) for each in found):
                text = jsonedit.cut_item(text, (HOOKS, event), index)
            elif any(is_ours(each) for each in found):
                text = _without_some(text, event, index)
    return text


def _without_some(text: str, event: str, index: int) -> str:
    """Cut our hooks out of a group that also holds others'."""
    items = _events(text)[event]
    group = items[index]
    part = text[group.start : group.end]
    return text[: group.start] + jsonedit.cut_where(part, (HOOKS,), is_ours) + text[group.end :]


def _events(text: str) -> dict[str, tuple[Node, ...]]:
    node = jsonedit.find(text, (HOOKS,))
    members = (node and node.members) or ()
    return {each.key: each.node.items for each in members if each.node.items is not None}


def _same_key(there: object, wanted: object) -> bool:
    """Whether a key is the one we set; the port may have changed since."""
    if there == wanted:
        return True
    if not isinstance(there, dict) or not isinstance(wanted, dict) or there.keys() != wanted.keys():
        return False
    return all(
        there[key] == wanted[key]
        or (_OUR_ADDRESS.fullmatch(str(there[key])) and _OUR_ADDRESS.fullmatch(str(wanted[key])))
        for key in wanted
    )


def _grown(text: str, span: Span, spans: list[Span]) -> str:
    spans.append(span)
    return text[: span.at] + span.new + text[span.at + len(span.old) :]


def _sorted(entries: list[tuple[str, object]]) -> list[str]:
    return sorted(map(repr, entries))
