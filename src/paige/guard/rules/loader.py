"""Reads rule files and makes the book the judge reads.

A file holds one family of rules, or several under `[[family]]`. Every rule carries examples that it
must and must not match; they are executed where rules are checked, so that a rule that does not do
what it says is found. A few files are tables instead: wrappers, variables, places that are written
to, flows of secrets, and lists of words that families share.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.guard.rules.compiling import compile_family
from paige.guard.rules.examples import EXAMPLE_PLACE, RuleProblem, failing
from paige.guard.shell.proof import unknown_kinds

__all__ = ["EXAMPLE_PLACE", "PROTECTED", "Book", "RuleProblem", "load_book"]

FOLDER = "rules"
TABLES = (
    "wrappers.toml", "variables.toml", "writes.toml", "reads.toml", "flows.toml", "words.toml",
    "harmless.toml",
)  # fmt: skip
PROTECTED = (
    "*/.paige/guard/*", "*/.paige/spool/*", "*/.claude/settings.json",
    "*/.claude/settings.local.json", "*/.claude/hooks/*",
    "*/.claude/.delegation-state/*", "*/.claude/progress/evidence/*", "*/.codex/hooks.json",
    "*/.codex/config.toml", "*/.gemini/settings.json", "*/.copilot/hooks/*", "*/.github/hooks/*",
    "*/.paige/evidence*", "*/.claude.json", "*/skills/paige-coach/*",
    "*/.ai/guard/*", "*/.config/ai/guard/*", "*/.ai/guards/*", "*/.config/ai/guards/*",
    "*/.config/ai/paige.toml",
    "*/.codex/rules/*", "*/.codex/requirements.toml", "*/.gemini/policies/*",
    "*/.copilot/config.json", "*/.copilot/settings.json", "*/.cursor/hooks.json",
    "*/.cursor/hooks/*", "*/.paige/paige.db*", "*/.claude/managed-settings*", "*/.gemini/hooks/*",
    "*/.codex/hooks/*",
)  # fmt: skip
# Settings, hooks and plugins of the hosts, which decide whether Paige is asked at all.
HOSTS = (
    "*/.claude/settings*.json", "*/.claude/plugins/*", "*/.mcp.json", "*/.codex/*.json",
    "*/.codex/*.toml", "*/.gemini/*.json", "*/.gemini/extensions/*", "*/.copilot/*.json",
    "*/.cursor/mcp.json", "/etc/claude-code/*", "/etc/codex/*", "/etc/gemini-cli/*",
    "*/ClaudeCode/managed*",
)  # fmt: skip
BINS = (
    "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Book:
    """The compiled rules, the files they came from, and what was wrong with some.

    `families` are the rules as they were written, with the file of each, for lists of them.
    """

    compiled: dict[str, Any]
    sources: tuple[Path, ...]
    problems: tuple[RuleProblem, ...]
    families: tuple[tuple[Path, dict[str, Any]], ...] = ()


def load_book(files: Sequence[Path], folders: Sequence[Path] = (), *, check: bool = False) -> Book:
    """The rules of some files; `folders` are watched for new ones.

    With `check` every example is executed; a rule whose examples fail is a problem.
    """
    problems: list[RuleProblem] = []
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
            problems.append(RuleProblem(str(path), str(data.get("family", "")), str(error)))
            continue
        kept.append((path, data))
        for name in data["commands"]:
            families.setdefault(str(name), []).append(family)
    compiled = {
        "families": {name: tuple(each) for name, each in families.items()},
        "wrappers": _wrappers(tables["wrappers.toml"]),
        "variables": _variables(tables["variables.toml"]),
        "redirects": _redirects(tables["writes.toml"]),
        "reads": _reads(tables["reads.toml"]),
        "flows": _flows(tables["flows.toml"]),
        "harmless": _harmless(tables["harmless.toml"], problems),
        "powershell": _powershell(tables["words.toml"]),
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


def _read(path: Path, problems: list[RuleProblem]) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        problems.append(RuleProblem(str(path), "", f"cannot be read: {error}"))
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


def _variables(data: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (str(name), str(group["decision"]), str(group["reason"]))
        for group in data.get("group", ())
        for name in group["names"]
    )


def _redirects(data: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (str(where), str(group["decision"]), str(group["reason"]))
        for group in data.get("group", ())
        for where in group["places"]
    )


def _reads(data: Mapping[str, Any]) -> tuple[tuple[str, str, str, bool], ...]:
    return tuple(
        (str(where), str(group["decision"]), str(group["reason"]), bool(group.get("search")))
        for group in data.get("group", ())
        for where in group["places"]
    )


def _flows(data: Mapping[str, Any]) -> dict[str, Any]:
    """Which programs send what they are given, and which of their options only name a key."""
    senders: dict[str, tuple[str, ...]] = {}
    for each in data.get("sender", ()):
        for name in each["commands"]:
            senders[str(name)] = tuple(_texts(each.get("any", ())))
    return {
        "senders": senders,
        "keys": frozenset(_texts(data.get("keys", ()))),
        "names": frozenset(_texts(data.get("names", ()))),
    }


def _harmless(data: Mapping[str, Any], problems: list[RuleProblem]) -> dict[str, str]:
    """What is known of each call, one line each; several names may stand before a line."""
    made: dict[str, str] = {}
    for names, line in (pair for group in data.values() for pair in group.items()):
        unknown = ", ".join(sorted(unknown_kinds(str(line))))
        if unknown:
            problems.append(RuleProblem("harmless.toml", names, f"has unknown kinds: {unknown}"))
            continue
        made |= dict.fromkeys(str(names).split(", "), str(line))
    return made


def _powershell(data: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    return {
        name: tuple(_texts(data.get(f"powershell-{name}", ())))
        for name in ("destroying", "reading")
    }


def _texts(values: Iterable[object]) -> Iterable[str]:
    return (str(each) for each in values)
