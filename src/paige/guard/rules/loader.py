"""Reads rule files, tries their examples, and makes the book the judge reads.

A file holds one family of rules, or several under `[[family]]`. Every rule carries examples that it
must and must not match; they are executed where rules are checked, so that a rule that does not do
what it says is found. A few files are tables instead: wrappers, variables, places that are written
to, flows of secrets, and lists of words that families share.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.base.file_cache import FileCache
from paige.guard.fast.jsonic import lists_of
from paige.guard.fast.place import Place
from paige.guard.rules.compiler import compile_family
from paige.guard.shell.judge import DENY, Judge
from paige.guard.shell.proof import unknown_kinds

FOLDER = "rules"
_LISTS = lists_of("protected")
TABLES = (
    "wrappers.toml", "variables.toml", "writes.toml", "reads.toml", "flows.toml", "words.toml",
    "harmless.toml", "programs.toml",
)  # fmt: skip
PROTECTED = tuple(_LISTS["protected"])
# Settings, hooks and plugins of the hosts, which decide whether Paige is asked at all.
HOSTS = tuple(_LISTS["hosts"])
BINS = (
    "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/",
)  # fmt: skip
EXAMPLE_PLACE = Place("/home/u/project", "/home/u/project", "/home/u", "/home/u/.paige", own=False)


@dataclass(frozen=True, slots=True)
class GuardProblem:
    """Something in a rule file that needs a hand."""

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class Book:
    """The compiled rules, the files they came from, and what was wrong with some.

    `families` are the rules as they were written, with the file of each, for lists of them.
    """

    compiled: dict[str, Any]
    sources: tuple[Path, ...]
    problems: tuple[GuardProblem, ...]
    families: tuple[tuple[Path, dict[str, Any]], ...] = ()


def load_book(files: Sequence[Path], folders: Sequence[Path] = (), *, check: bool = False) -> Book:
    """The rules of some files; `folders` are watched for new ones.

    With `check` every example is executed; a rule whose examples fail is a problem.
    """
    key = (*files, None, *folders, check)
    return _books.get(key, files, partial(_load_book, files, folders, check=check))


_books: FileCache[Book] = FileCache()


def _load_book(files: Sequence[Path], folders: Sequence[Path], *, check: bool) -> Book:
    problems: list[GuardProblem] = []
    tables: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
    read: list[tuple[Path, dict[str, Any]]] = []
    for path in files:
        data = _read(path, problems)
        if path.name in tables:
            _merge(tables[path.name], data)
        else:
            read += [(path, each) for each in _families(data, path.stem)]
    families: dict[str, list[dict[str, Any]]] = {}
    kept: list[tuple[Path, dict[str, Any]]] = []
    for path, data in read:
        try:
            family = compile_family(data, path.stem, tables["words.toml"])
        except (BadInput, ValueError, TypeError) as error:
            problems.append(GuardProblem(str(path), str(data.get("family", "")), str(error)))
            continue
        kept.append((path, data))
        for name in data["commands"]:
            families.setdefault(str(name), []).append(family)
    compiled = {
        "families": {name: tuple(each) for name, each in families.items()},
        "wrappers": _wrappers(tables["wrappers.toml"]),
        "variables": _told(tables["variables.toml"], "names"),
        "redirects": _told(tables["writes.toml"], "places"),
        "reads": _told(tables["reads.toml"], "places", "search"),
        "flows": _flows(tables["flows.toml"]),
        "readers": _readers(tables["programs.toml"]),
        "harmless": _harmless(tables["harmless.toml"], problems),
        "powershell": {
            name: tuple(map(str, tables["words.toml"].get(f"powershell-{name}", ())))
            for name in ("destroying", "reading")
        },
        # A folder is what it holds: nobody may lock it, rename it or put another in its place.
        "protected": tuple(
            dict.fromkeys(
                one for each in (*PROTECTED, *HOSTS) for one in (each, each.removesuffix("/*"))
            )
        ),
        "bins": BINS,
    }
    if check:
        for path, data in kept:
            problems += failing(str(path), data, compiled)
    return Book(compiled, (*folders, *files), tuple(problems), tuple(kept))


def _read(path: Path, problems: list[GuardProblem]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        problems.append(GuardProblem(str(path), "", f"cannot be read: {error}"))
        return {}


def _families(data: dict[str, Any], stem: str) -> list[dict[str, Any]]:
    """The families of a file, each with a name."""
    if not data:
        return []
    listed = data["family"] if isinstance(data.get("family"), list) else [data]
    return [
        {**each, "family": str(each.get("name", each.get("family", stem)))}
        if "name" not in each
        else {**{key: one for key, one in each.items() if key != "name"}, "family": each["name"]}
        for each in listed
    ]


def _merge(into: dict[str, Any], data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        elif isinstance(value, list) and isinstance(into.get(key), list):
            into[key] = [*into[key], *value]
        else:
            into[key] = value


def _wrappers(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for name, each in data.items():
        kept: dict[str, Any] = {}
        for key, value in each.items():
            if key == "subs":
                kept[key] = tuple(tuple(str(sub).split()) for sub in value)
            elif isinstance(value, list):
                kept[key] = tuple(value)
            elif key not in ("also", "about"):
                kept[key] = value
        for called in (name, *each.get("also", ())):
            made[called] = kept
    return made


def _told(
    data: Mapping[str, Any], key: str, *more: str
) -> tuple[tuple[str, str, str, *tuple[bool, ...]], ...]:
    """What is said of each thing that the groups of a table list under a key."""
    return tuple(
        (
            str(each),
            str(group["decision"]),
            str(group["reason"]),
            *(bool(group.get(sign)) for sign in more),
        )
        for group in data.get("group", ())
        for each in group[key]
    )


def _flows(data: Mapping[str, Any]) -> dict[str, Any]:
    """Which programs send what they are given, and which of their options only name a key."""
    senders: dict[str, tuple[str, ...]] = {}
    for each in data.get("sender", ()):
        for name in each["commands"]:
            senders[str(name)] = tuple(map(str, each.get("any", ())))
    return {
        "senders": senders,
        "keys": frozenset(map(str, data.get("keys", ()))),
        "names": frozenset(map(str, data.get("names", ()))),
    }


def _readers(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """What takes the words of each program apart, and what it knows of their options."""
    known: dict[str, dict[str, Any]] = {}
    for name, each in data.get("options", {}).items():
        known |= dict.fromkeys((name, *each.get("also", ())), _frozen(each))
    made: dict[str, dict[str, Any]] = {}
    for reader, names in data.get("readers", {}).items():
        alike: dict[int, dict[str, Any]] = {}  # one value for all, so that the snapshot is small
        for name in names:
            own = known.get(name, {})
            made[name] = alike.setdefault(id(own) if own else 0, {**own, "reader": reader})
    return made


def _frozen(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table with tuples for its lists, without the names it is for."""
    return {
        key: _frozen(each)
        if isinstance(each, dict)
        else tuple(each)
        if isinstance(each, list)
        else each
        for key, each in table.items()
        if key != "also"
    }


def _harmless(data: Mapping[str, Any], problems: list[GuardProblem]) -> dict[str, str]:
    """What is known of each call, one line each; several names may stand before a line."""
    made: dict[str, str] = {}
    for names, line in (pair for group in data.values() for pair in group.items()):
        unknown = ", ".join(sorted(unknown_kinds(str(line))))
        if unknown:
            problems.append(GuardProblem("harmless.toml", names, f"has unknown kinds: {unknown}"))
            continue
        made |= dict.fromkeys(str(names).split(", "), str(line))
    return made


def failing(path: str, family: Mapping[str, Any], compiled: dict) -> Iterable[GuardProblem]:
    """What the examples of a family's rules say against them."""
    for rule in family.get("rule", ()):
        name = f"{family['family']}.{rule['id']}"
        for each in _examples(rule, "must"):
            said = _other(each, name, rule["decision"], compiled)
            if said:
                yield GuardProblem(path, name, f"must match `{each}`, but it was {said}")
        for each in _examples(rule, "must_not"):
            if _matched(each, name, compiled):
                yield GuardProblem(path, name, f"must not match `{each}`")
        yield from _suggestion(path, name, rule, compiled)


def _suggestion(
    path: str, name: str, rule: Mapping[str, Any], compiled: dict
) -> Iterable[GuardProblem]:
    """A rule may not deny what it says to do instead; a suggestion may be words, too."""
    for each in suggested(str(rule.get("instead", ""))):
        judged = Judge(EXAMPLE_PLACE, compiled).judge(each)
        if judged.decision == DENY:
            yield GuardProblem(path, name, f"suggests `{each}`, which {judged.rule} denies")


def suggested(instead: str) -> list[str]:
    """The commands in a suggestion: what stands in backticks, or all of it without a full stop."""
    if "`" in instead:
        return instead.split("`")[1::2]
    return [] if not instead or instead.endswith((".", "?")) else [instead]


def _examples(rule: Mapping[str, Any], key: str) -> list[str]:
    value = rule.get(key, [])
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _other(command: str, rule: str, decision: str, compiled: dict) -> str:
    """What else was said of an example; empty when the rule matched and its decision held."""
    judge = Judge(EXAMPLE_PLACE, compiled)
    judged = judge.judge(command)
    matched = any(step[2] == rule for step in judge.steps)
    if matched and judged.decision == decision:
        return ""
    return f"{judged.decision} by {judged.rule}"


def _matched(command: str, rule: str, compiled: dict) -> bool:
    judge = Judge(EXAMPLE_PLACE, compiled)
    judge.judge(command)
    return any(step[2] == rule for step in judge.steps)
