"""Proof that a call is harmless: every option and operand is known, and none leads out.

What is known of a program is one line of a table: its options, then what its operands are. What
the line does not name is not known, and then nothing is proven. Built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.place import Place, exists
from paige.guard.fast.system import system
from paige.guard.shell.resolver import base_name, plain_name
from paige.guard.shell.script import UNKNOWN
from paige.guard.shell.targets import full_path, places_of

_UNREADABLE = ("secret", "secrets", "dotenv", "repository", "profile", "unknown", "device")
_UNMADE = (*_UNREADABLE, "protected")
_REACHING = ("env", "import", "include", "getline", "system", "$__", "argv", "load", "input_")
_DEEP = ("-r", "-R", "--recursive")
_PATTERN_OPTIONS = ("-e", "-f", "--regexp", "--file", "--expression")
# What the own runner of a project is called for, and what it must not be called for.
_TASKS = frozenset((
    "test", "tests", "build", "lint", "check", "checks", "format", "fmt", "typecheck", "type",
    "types", "unit", "coverage", "cov", "compile", "verify", "validate", "e2e", "spec", "specs",
    "all", "bench", "help", "tsc", "pytest", "jest", "vitest", "eslint", "mypy", "ruff", "clippy",
))  # fmt: skip
_OUTWARD = (
    "deploy", "publish", "release", "push", "upload", "prod", "destroy", "drop", "delete", "reset",
    "clean", "purge", "wipe", "remove", "uninstall", "install", "migrate", "seed", "send", "live",
)  # fmt: skip
_RESOURCES = frozenset((
    "pods", "pod", "po", "services", "service", "svc", "deployments", "deployment", "deploy",
    "nodes", "node", "no", "namespaces", "namespace", "ns", "ingress", "jobs", "job", "cronjobs",
    "events", "replicasets", "rs", "statefulsets", "sts", "daemonsets", "ds", "pvc", "pv", "hpa",
    "all",
))  # fmt: skip
_MOST_LINKS = 8
_MOST_FOLDERS = 200
_MOST_ENTRIES = 4000
_WHOLE = ("*", ".*", "**", "?*", ".?*", ".[!.]*")


class Entry(Record):
    """A line of the table. `valued` says of what kind an option's value is."""

    flags: frozenset[str]
    valued: dict[str, str]
    optional: frozenset[str]
    kinds: tuple[str, ...]
    more: str
    needs: tuple[str, ...]
    single: bool
    free: bool
    anywhere: bool


class KnownCall(Record):
    """A call all of whose words are known: pairs of kind and word, and where it may run."""

    given: tuple[tuple[str, str], ...]
    anywhere: bool


_entries: dict[str, Entry] = {}


def known_call(words: tuple[str, ...], table: dict[str, str]) -> KnownCall | None:
    """What the words of a call are; nothing when one of them is not known."""
    name = base_name(words[0])
    if " " in name:
        return None  # the table has subcommands behind a space
    if name not in table:
        name = plain_name(name)
    line = table.get(name)
    at = 1
    while line is not None:
        entry = _entries.get(line) or _read(line)
        given: list[tuple[str, str]] = []
        seen: list[str] = []
        at = _told(words, at, entry, given, seen)
        if at < 0 or (entry.needs and not any(each in seen for each in entry.needs)):
            return None
        if entry.kinds != ("sub",):
            _searched(entry, given, seen)
            return KnownCall(tuple(given), entry.anywhere)
        if at >= len(words):
            return None
        name = f"{name} {words[at]}"
        line = table.get(name)
        at += 1
    return None


def _searched(entry: Entry, given: list[tuple[str, str]], seen: list[str]) -> None:
    """Add the folder that is searched where none is named."""
    named = any(kind == entry.more for kind, _ in given)
    deep = entry.more == "shown" or any(each in seen for each in _DEEP)
    if entry.more in ("tree", "shown") and deep and not named:
        given.append((entry.more, "."))


def tells_of_itself(words: tuple[str, ...]) -> bool:
    """Whether a program is asked for its help or its version and for nothing else."""
    if len(words) == 2 and words[1] in ("--version", "-V", "-version", "version", "--help"):
        return True
    rest = [word for word in words[1:] if word not in ("--help", "help")]
    return len(rest) + 2 == len(words) and all(
        word.replace("-", "").isalnum() and word[0] != "-" for word in rest
    )


def is_proven(call: KnownCall, place: Place, protected: tuple[str, ...]) -> bool:
    """Whether nothing a known call is given leads out of the project or to a secret."""
    if not call.anywhere and not _at_home(place):
        return False
    return all(_is_safe(kind, word, place, protected) for kind, word in call.given)


def own_program(
    words: tuple[str, ...], call: KnownCall | None, place: Place, protected: tuple[str, ...]
) -> bool:
    """Whether a program is a file of the project, called as is known or for a task."""
    if not is_own(words[0], place):
        return False
    if call is not None:
        return is_proven(call, place, protected)
    plain = words[0].lower()
    return not any(each in plain for each in _OUTWARD) and all(map(_is_task, words[1:]))


def is_own(path: str, place: Place, bins: tuple[str, ...] = ("/usr/", "/bin/", "/opt/")) -> bool:
    """Whether a program's path is a file of the project, or a link from there to the machine's."""
    full = full_path(path, place)
    if UNKNOWN in path or place.root in ("", "/") or not _below(full, place.root) or place.apart:
        return False
    for _ in range(_MOST_LINKS):
        target = _link(full, place.root) if _below(full, place.root) else None
        if target is None:
            return exists(full) and (_below(full, place.root) or full.startswith(bins))
        full = target
    return False


def _below(full: str, root: str) -> bool:
    return f"{full}/".startswith(f"{root}/")


def unknown_kinds(line: str) -> set[str]:
    """What a line of the table calls words that nobody can check."""
    entry = _read(line)
    known = {*CHECKS, "word", "pattern", "text", "sub", "rest", ""}
    return {*entry.valued.values(), *entry.kinds, entry.more} - known


def written(call: KnownCall) -> list[str]:
    """The paths that a known call makes."""
    return [word for kind, word in call.given if kind == "make"]


def _read(line: str) -> Entry:
    """A line of the table as an entry."""
    options, _, operands = f" {line} ".partition(" : ")
    flags: set[str] = set()
    values: dict[str, str] = {}
    optional: set[str] = set()
    needs: tuple[str, ...] = ()
    marks = set()
    for token in options.split():
        if token[0] == "!":
            needs = tuple(token[1:].split("|"))
            flags.update(needs)
        elif token[0] != "-":
            marks.add(token)
        elif "=" in token:
            name, _, kind = token.partition("=")
            if kind == "?":
                flags.add(name)
                optional.add(name)
            else:
                values[name] = kind or "word"
        elif token[:2] == "--" or "single" in marks or token == "-#":
            flags.add(token)
        else:
            flags.update(f"-{sign}" for sign in token[1:])
    kinds = operands.split()
    more = kinds.pop()[:-1] if kinds and kinds[-1].endswith("*") else ""
    made = Entry(
        frozenset(flags - values.keys()), values, frozenset(optional), tuple(kinds), more, needs,
        "single" in marks, "free" in marks, "anywhere" in marks,
    )  # fmt: skip
    _entries[line] = made
    return made


def _told(
    words: tuple[str, ...], at: int, entry: Entry, given: list[tuple[str, str]], seen: list[str]
) -> int:
    """Tell the words apart; where a subcommand stands or the words end, -1 for an unknown one."""
    count, ended = 0, entry.free
    kinds = entry.kinds
    while at < len(words):
        word = words[at]
        if word == "--" and not ended:
            ended = True
        elif ended or len(word) < 2 or word[0] != "-":
            if (
                not count
                and kinds[:1] == ("pattern",)
                and any(each in seen for each in _PATTERN_OPTIONS)
            ):
                kinds = kinds[1:]
            kind = kinds[count] if count < len(kinds) else entry.more
            if kind == "sub":
                return at
            if kind == "rest":
                return len(words)
            if not kind:
                return -1
            given.append((kind, word))
            count += 1
        else:
            at = _option(words, at, entry, given, seen)
            if at < 0:
                return -1
        at += 1
    return at


def _option(
    words: tuple[str, ...], at: int, entry: Entry, given: list[tuple[str, str]], seen: list[str]
) -> int:
    """Take in an option; where its last word stands, -1 when it is not known."""
    word = words[at]
    if word[:2] == "--" or entry.single:
        name, equals, value = word.partition("=")
        seen.append(name)
        if name in entry.flags:
            return at if not equals or name in entry.optional else -1
        return _value(words, at, entry.valued.get(name), value if equals else None, given)
    if "-#" in entry.flags and word[1:].isdecimal():
        return at
    for place, sign in enumerate(word[1:], start=2):
        name = f"-{sign}"
        seen.append(name)
        if name not in entry.flags:
            return _value(words, at, entry.valued.get(name), word[place:] or None, given)
    return at


def _value(
    words: tuple[str, ...],
    at: int,
    kind: str | None,
    value: str | None,
    given: list[tuple[str, str]],
) -> int:
    """Take in the value of an option, which may be the next word."""
    if value is None:
        at += 1
    if kind is None or at >= len(words):
        return -1
    given.append((kind, words[at] if value is None else value))
    return at


def _at_home(place: Place) -> bool:
    """Whether a command runs in the project."""
    here = full_path(".", place)
    return (
        place.root not in ("", "/")
        and UNKNOWN not in here
        and f"{here}/".startswith(f"{place.root}/")
    )


def _is_safe(kind: str, word: str, place: Place, protected: tuple[str, ...]) -> bool:
    """Whether a word of a kind is harmless where a command runs."""
    if kind == "text":
        return True
    if UNKNOWN in word:
        return False
    return kind == "word" or kind == "pattern" or CHECKS[kind](word, place, protected)


def _path(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    return word == "-" or _inside(word, place, protected, _UNREADABLE)


def _made(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    return not any(sign in word for sign in "*?[") and _inside(word, place, protected, _UNMADE)


def _tree(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    """A file, or a folder with no secret below it."""
    return _path(word, place, protected) and _holds_no_secret(full_path(word, place), place)


def _shown(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    """The same for a program that passes by what is hidden."""
    return _path(word, place, protected) and _holds_no_secret(
        full_path(word, place), place, hidden=False
    )


def _revision(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    """A revision of git or a path, or `revision:path`."""
    path = word.partition(":")[2]
    return _path(word, place, protected) and (not path or _path(path, place, protected))


def _test(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    return word[:1] != "@" and _path(word.partition("::")[0], place, protected)


def _package(word: str, place: Place, protected: tuple[str, ...]) -> bool:
    """A package of the project's own: for Go, a word that is no path may be anybody's."""
    return word[:1] == "." and _path(word.removesuffix("...") or ".", place, protected)


def _is_name(word: str, *_: object) -> bool:
    return bool(word) and all(sign.isalnum() or sign in "_-:" for sign in word)


def _is_task(word: str, *_: object) -> bool:
    parts = word.lower().replace("-", ":").replace("_", ":").split(":")
    named = _is_name(word) and parts[0] in _TASKS
    return named and not any(part.startswith(_OUTWARD) for part in parts)


def _is_number(word: str, *_: object) -> bool:
    plain = word.lstrip("+-")
    return plain[:1].isdecimal() and plain.replace(".", "").replace(",", "").isalnum()


def _is_code(word: str, *_: object) -> bool:
    """Code of awk and jq that sees nothing but its input."""
    low = word.lower()
    return not any(each in low for each in _REACHING)


CHECKS = {
    "path": _path,
    "tree": _tree,
    "shown": _shown,
    "make": _made,
    "rev": _revision,
    "test": _test,
    "package": _package,
    "name": _is_name,
    "task": _is_task,
    "number": _is_number,
    "format": lambda word, *_: word[:1] == "+",
    "without": lambda word, *_: word.startswith("no:") and _is_name(word[3:]),
    "code": _is_code,
    "resource": lambda word, *_: word.partition("/")[0].lower() in _RESOURCES,
}


def _inside(word: str, place: Place, protected: tuple[str, ...], never: tuple[str, ...]) -> bool:
    """Whether a path lies in the project or is a quiet device, and at no place of the others."""
    where = places_of(word, place, protected)
    if any(each in never for each in where):
        return False
    if where[-1] == "quiet":
        return True
    full = full_path(word, place)
    if where[-1] not in ("inside", "project") or not _below(full, place.root):
        return False
    if word.rpartition("/")[2] in _WHOLE:
        return False  # what is in a folder may be anything
    return not _leads_out(full, place, protected, never)


def _leads_out(full: str, place: Place, protected: tuple[str, ...], never: tuple[str, ...]) -> bool:
    """Whether a link on the way to a path leads out of the project or to a secret."""
    if place.apart:
        return True  # nobody looks
    for _ in range(_MOST_LINKS):
        target = _link(full, place.root)
        if target is None:
            return False
        full = target
        where = places_of(full, place, protected)
        if where[-1] not in ("inside", "project") or any(each in never for each in where):
            return True
    return True


def _link(full: str, root: str) -> str | None:
    """A path with the first link below the root followed; nothing when there is none."""
    at = len(root)
    while 0 <= at < len(full):
        at = full.find("/", at + 1)
        part = full if at < 0 else full[:at]
        try:
            target = system.readlink(part)
        except (OSError, ValueError, AttributeError):
            continue
        above = part.rpartition("/")[0]
        rest = full[len(part) :]
        return full_path(f"{target}{rest}", Place(above, "", "", "", own=False))
    return None


def _holds_no_secret(full: str, place: Place, *, hidden: bool = True) -> bool:
    """Whether no file below a folder is a secret by its name; a large folder is not looked at."""
    waiting = [full]
    entries = 0
    for _ in range(_MOST_FOLDERS):
        if not waiting:
            return True
        folder = waiting.pop()
        try:
            found = list(system.scandir(folder))
        except (OSError, ValueError):
            continue  # a file, or nothing
        entries += len(found)
        if entries > _MOST_ENTRIES:
            return False
        for each in found:
            if each.name[0] == "." and not hidden:
                continue
            where = places_of(each.path, place)
            if "secret" in where or "dotenv" in where:
                return False
            if each.name != ".git" and each.is_dir(follow_symlinks=False):
                waiting.append(each.path)
    return not waiting
