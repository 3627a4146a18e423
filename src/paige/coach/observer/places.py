"""Which files belong to a phase: those it names, and those that go with them.

A file goes with another when it is its test, its header, its style sheet: work on one is work on
the other. Everything here is about names; no file is read.
"""

import posixpath
import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from paige.coach.observer.trace import Aim

GLOB = frozenset("*?[")
_TEST_MARKS = re.compile(
    r"(?:^tests?[_.-]|[_.-](?:tests?|spec|specs|stories)$|(?<=[a-z0-9])Tests?$)"
)
_KINDS = re.compile(r"\.(?:module|d|styles?|min)$")
_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec", "specs"})
DOORWAYS = frozenset({"init", "index", "mod", "lib", "types"})
UPKEEP = frozenset(
    {"package.json", "package-lock.json", "pyproject.toml", "requirements.txt", "go.mod", "go.sum"}
    | {"cargo.toml", "cargo.lock", "tsconfig.json", "poetry.lock", "yarn.lock", ".gitignore"}
    | {"pom.xml", "build.gradle", "gemfile", "gemfile.lock", "composer.json", "pnpm-lock.yaml"}
)


def belongs(path: str, aim: Aim) -> bool:
    """Whether a phase expects a file, names it, or expects one that it goes with."""
    if any(is_named(path, expected) for expected in aim.expected_files):
        return True
    return goes_with_any(path, aim.expected_files) or is_mentioned(path, aim)


def is_named(path: str, expected: str) -> bool:
    """Whether an expected path is this file: by its name, its folder or a pattern."""
    if GLOB & set(expected):
        bare = expected.removeprefix("./")
        wider = bare.replace("**/", "")
        return any(fnmatchcase(path, one) for one in (bare, wider, f"*/{bare}"))
    if expected.endswith("/"):
        return path.startswith(expected) or f"/{expected}" in f"/{path}"
    if path == expected:
        return True
    # One of both may be given from further up: `/home/me/shop/src/a.py` and `src/a.py`.
    if path.endswith(f"/{expected}") or expected.endswith(f"/{path}"):
        return True
    return "." not in posixpath.basename(expected) and path.startswith(f"{expected}/")


def goes_with_any(path: str, expected: Iterable[str]) -> bool:
    """Whether a file is the test, header, style or doorway of one of these."""
    return any(goes_with(path, other) for other in expected)


def goes_with(path: str, other: str) -> bool:
    """Whether work on a file is work on the other: its test wherever it lies, or a neighbour.

    It holds one way only: a phase that asks for a test does not ask for the code yet.
    """
    same_subject = subject(path) == subject(other) and subject(path) not in DOORWAYS
    if is_test(path):
        return same_subject
    if is_test(other) or posixpath.dirname(path) != posixpath.dirname(other):
        return False
    return same_subject or subject(path) in DOORWAYS


def subject(path: str) -> str:
    """What a file is about: its name without its kind and without what makes it a test."""
    name = posixpath.basename(path)
    stem = name.rsplit(".", 1)[0] if "." in name.strip(".") else name
    bare = _KINDS.sub("", stem)
    return re.sub(r"[^a-z0-9.]", "", (_TEST_MARKS.sub("", bare) or bare).lower()) or stem.lower()


def is_test(path: str) -> bool:
    """Whether a file holds tests, by its name or its folder."""
    stem = posixpath.basename(path).rsplit(".", 1)[0]
    if _TEST_MARKS.search(stem) or stem.split(".")[-1] in ("test", "spec"):
        return True
    return bool(_TEST_FOLDERS & set(path.lower().split("/")[:-1]))


def is_upkeep(path: str) -> bool:
    """Whether a file only lists what a project needs; everyone touches it in passing."""
    return posixpath.basename(path).lower() in UPKEEP


def is_mentioned(path: str, aim: Aim) -> bool:
    """Whether the words of a phase name the file."""
    name = posixpath.basename(path)
    if "." not in name.strip("."):
        return False
    return bool(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", aim.words))


def is_about(path: str, aim: Aim) -> bool:
    """Whether a word of the path is a word of the phase."""
    said = {_singular(word) for word in re.findall(r"[a-z0-9]{3,}", aim.words.lower())}
    parts = re.findall(r"[A-Za-z][a-z]+|[A-Z]{2,}|[a-z0-9]{3,}", path)
    named = {_singular(part.lower()) for part in parts if len(part) > 3}
    return bool(said & named - {"src", "test", "tests", "main", "index", "file", "code"})


def _singular(word: str) -> str:
    return word[:-1] if word.endswith("s") and len(word) > 4 else word
