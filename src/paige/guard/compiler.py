"""Makes the snapshot of the rules that the hook's process reads.

Rules lie in three layers: those of the project, those of the person, those that came with Paige.
A person's file replaces a shipped one of the same name. A project's only adds: what it says is a
book of its own beside the other, and the stricter judgement counts, unless the person trusts it.
Guards that were learned lie beside them, and those that block or watch go into the snapshot.
"""

import os
import sys
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError
from paige.base.files import write_atomic
from paige.base.paths import all_layered, layers, shipped
from paige.guard.fast.place import Place, place_of
from paige.guard.fast.snapshot import FOLDER as FAST
from paige.guard.fast.snapshot import (
    dump_snapshot,
    is_whole,
    read_snapshot,
    snapshot_path,
    source_of,
)
from paige.guard.rules.loader import Book, GuardProblem, load_book
from paige.guard.shell.targets import CODE
from paige.guard.trust import find_config, is_trusted, loosened, trust_file

FOLDER = "guard/rules"


def rules_for(place: Place) -> dict[str, Any]:
    """The compiled rules of a place: the snapshot where it may be used, else made anew."""
    root = place.root if place.own else ""
    kept = read_snapshot(snapshot_path(place.data, root)) if place.data else None
    if kept is not None and kept.get("root") == root and is_whole(kept):
        return kept
    return write_rules(place)


def write_rules(place: Place) -> dict[str, Any]:
    """Compile the rules of a place and keep them for the next call. Raises: what reading raises."""
    from paige.guard.completion.permission import judge_files, judge_named  # noqa: PLC0415
    from paige.guard.guards.files import (  # noqa: PLC0415 - most calls read a snapshot
        for_hooks,
        guard_files,
        guard_folders,
    )

    root = place.root if place.own else ""
    # What changes while it is read makes the snapshot old at once, not wrong.
    before = {path: source_of(str(path)) for path in (*_compilers(), *layer_folders(place))}
    before |= {path: source_of(str(path)) for path in (*rule_files(place), *added_files(place))}
    before |= {path: source_of(str(path)) for _, path in guard_folders(place)}
    before |= {path: source_of(str(path)) for _, path in guard_files(place)}
    before |= {path: source_of(str(path)) for path in judge_files(place)}
    book = book_for(place)
    guards, faults = for_hooks(place)
    sources = {path: before.get(path) or source_of(str(path)) for path in (*before, *book.sources)}
    kept = {"protected": (*book.compiled["protected"], *own_files(place))}
    shell = {**book.compiled, **kept}
    if "added" in shell:
        shell["added"] = {**shell["added"], **kept}
    body = {
        "root": root,
        "sources": tuple(sources.values()),
        "shell": shell,
        "guards": guards,
        "judge": judge_named(place),
        "problems": (*(str(each) for each in book.problems), *faults),
    }
    if place.data:
        path = Path(snapshot_path(place.data, root))
        try:
            write_atomic(path, dump_snapshot(body), mode=0o600)
        except PaigeError:
            return body  # a full disk makes it slow, not blind
    return body


def compile_noting(folder: Path, data: Path) -> list[str]:
    """Make the compiled rules at once, so that the first call need not wait; what went wrong."""
    try:
        write_rules(place_of(str(folder), str(data)))
    except PaigeError as error:
        return [f"The rules could not be compiled: {error.message}"]
    return []


def own_files(place: Place) -> tuple[str, ...]:
    """Patterns of what the gates rest on, wherever it lies: code, its Python, data, configuration.

    A checkout may be the project somebody works on, which its patterns say by their end.
    """
    package = Path(__file__).parents[1]
    ending = "/*" if "site-packages" in package.parts else CODE
    folders = [f"{package.as_posix()}{ending}"]
    # Hooks start without `site`, so that the prefix is the machine's Python even in an environment.
    environment = Path(sys.executable).parents[1]
    if (environment / "pyvenv.cfg").is_file():
        folders += [f"{environment.as_posix()}{ending}"]
    patterns = [*folders, f"{package.as_posix()}/hooks/__pycache__/*"]
    if place.data:
        patterns += [each for data in _spellings(place.data) for each in _of_data(data)]
    own = find_config(place)
    for config in _spellings(str(own)) if own else ():
        patterns += [f"{config}/guard", f"{config}/guard/*", f"{config}/guards/*"]
        patterns += [f"{config}/guards", f"{config}/paige.toml", f"{config}/memory/*"]
    return tuple(patterns)


def _of_data(data: str) -> list[str]:
    """What in the data folder is Paige's alone; the workspace and the samples are people's."""
    names = (FAST, "spool", "memory", "people", "logs", "tenants", "backups", "evidence")
    kept = [each for name in names for each in (name, f"{name}/*")]
    return [f"{data}/{each}" for each in (*kept, "paige.db*", "cookie.key*")]


def _spellings(folder: str) -> tuple[str, ...]:
    """A folder as it is called and where it really is: behind a link lies the same folder."""
    return tuple(dict.fromkeys((folder.rstrip("/"), os.path.realpath(folder))))


def _compilers() -> list[Path]:
    """The code that makes the snapshot: another version of it makes another one."""
    here = Path(__file__).parent
    own = [
        *sorted((here / "rules").glob("*.py")),
        shipped("guard/lists/protected.json"),
        here / "guards" / "matcher.py",
        here / "trust.py",
    ]
    return [*own, *_trusted()]


def _trusted() -> list[Path]:
    path = trust_file()
    return [path] if path else []


def book_for(place: Place, *, check: bool = False) -> Book:
    """The rules of a place: those the person answers for, and under `added` with the project's."""
    files, folders, added = rule_files(place), layer_folders(place), added_files(place)
    book = load_book(files, folders, check=check)
    if not added:
        return book
    below = {path.name: path for path in files}
    sound: dict[str, Path] = {}
    problems: list[GuardProblem] = []
    for path in added:
        try:
            load_book([path])
            loose = loosened(path, below.get(path.name))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            loose = GuardProblem(str(path), "", f"cannot be used: {type(error).__name__}: {error}")
        else:
            sound[path.name] = path
        problems += [loose] if loose else []
    whole = load_book(_by_name({**below, **sound}), check=check)
    problems += [each for each in whole.problems if Path(each.path) in added]
    return Book(
        {**book.compiled, "added": whole.compiled},
        (*book.sources, *added, *_trusted()),
        (*book.problems, *problems),
        (*book.families, *(each for each in whole.families if each[0] in added)),
    )


def rule_files(place: Place) -> list[Path]:
    """The rule files a person answers for, each from the strongest layer that has it."""
    own, *others = _layers(place)
    found = all_layered(FOLDER, (own, *others) if not place.own else tuple(others))
    if place.own:
        found |= {name: path for name, path in _of(own).items() if is_trusted(path)}
    return _by_name(found)


def added_files(place: Place) -> list[Path]:
    """The rule files of the project that nobody answers for."""
    if not place.own:
        return []
    return _by_name({n: path for n, path in _of(_layers(place)[0]).items() if not is_trusted(path)})


def _of(layer: Path) -> dict[str, Path]:
    return all_layered(FOLDER, (layer,))


def _by_name(files: dict[str, Path]) -> list[Path]:
    return [files[name] for name in sorted(files)]


def layer_folders(place: Place) -> list[Path]:
    """The folders rules may come from, whether they are there or not."""
    return [layer / FOLDER for layer in _layers(place)]


def _layers(place: Place) -> tuple[Path, ...]:
    return layers(Path(place.root) if place.own else None, find_config(place))
