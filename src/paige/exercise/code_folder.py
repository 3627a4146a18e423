"""Reading the folder of a code exercise: ours, or one in Exercism's layout.

Ours has `exercise.<ext>`, `test_exercise.<ext>` and a hidden `solution.<ext>`. Exercism's names its
files in `.meta/config.json`, and its instructions and hints are markdown in `.docs`. Either way the
outcome says which files a learner writes, which ones test them, and which ones nobody may see; and
what of it comes along into the sandbox.
"""

import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from paige.base.errors import BadInput, NotFound
from paige.exercise.code_exercise import CodeHeader, language_of, parse_header, split_hints
from paige.exercise.values import Bloom
from paige.exercise.worksheet.lines import decode

_HIDDEN_FOLDERS = {".meta", ".approaches", ".articles", ".git"}
_NOISE = {"__pycache__", ".pytest_cache", "node_modules", ".DS_Store", ".mypy_cache", ".ruff_cache"}
_VARIANT = re.compile(r"^\d{8}T\d{6}Z$")  # older variants of an exercise are kept in such folders
_MOST_FILES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeFolder:
    """The files of a code exercise, as paths inside its folder.

    `editor` are files a learner may read beside their own; `data` is whatever else tests may need.
    """

    path: Path
    layout: Literal["paige", "exercism"]
    language: str
    solution: tuple[str, ...]
    tests: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    editor: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    concept_ids: tuple[str, ...] = ()
    title: str = ""
    bloom_level: Bloom | None = None
    instructions: str = ""
    hints: tuple[str, ...] = ()


def looks_like_code_folder(path: Path) -> bool:
    """Whether a folder holds a code exercise of either layout."""
    return path.is_dir() and (
        (path / ".meta" / "config.json").is_file() or bool(_pair(_files(path)))
    )


def read_code_folder(path: Path) -> CodeFolder:
    """The files of a code exercise. Raises: NotFound, BadInput, saying what is missing."""
    if not path.exists():
        raise NotFound(f"There is no folder `{path}`")
    if not path.is_dir():
        raise BadInput(
            f"`{path.name}` is a file", hint="Give the folder of the code exercise it belongs to."
        )
    files = _files(path)
    if (path / ".meta" / "config.json").is_file():
        return _exercism(path, files)
    pair = _pair(files)
    if pair is None:
        raise BadInput(_what_is_missing(path, files), hint=_LAYOUT)
    return _ours(path, files, pair)


_LAYOUT = (
    "A code exercise is a folder with `exercise.py` and `test_exercise.py`, or one in Exercism's "
    "layout with `.meta/config.json`."
)


def _files(path: Path) -> list[str]:
    """Every file inside, as a path with slashes, without caches and older variants."""
    found: list[str] = []
    waiting = [path]
    while waiting and len(found) < _MOST_FILES:
        for entry in sorted(waiting.pop().iterdir()):
            if entry.name in _NOISE or entry.name == ".git" or entry.is_symlink():
                continue
            if entry.is_dir():
                if not _VARIANT.match(entry.name):
                    waiting.append(entry)
            else:
                found.append(entry.relative_to(path).as_posix())
    return sorted(found)


def _pair(files: list[str]) -> tuple[str, str] | None:
    """The file to write and the file that tests it."""
    top = [name for name in files if "/" not in name and language_of(name)]
    named = sorted(top, key=lambda name: PurePosixPath(name).stem != "exercise")
    for name in named:
        stem, suffix = PurePosixPath(name).stem, PurePosixPath(name).suffix
        wanted = (f"test_{stem}", f"{stem}_test", f"{stem}.test", f"{stem}.spec", f"{stem}Test")
        for test in wanted:
            if f"{test}{suffix}" in top:
                return name, f"{test}{suffix}"
    return None


def _what_is_missing(path: Path, files: list[str]) -> str:
    code = [name for name in files if language_of(name)]
    if not files:
        return f"The folder `{path.name}` is empty"
    if not code:
        return f"The folder `{path.name}` has no code in it"
    tests = [name for name in code if re.search(r"(?:^|[/_.])test|spec|Test", name)]
    if not tests:
        return f"The folder `{path.name}` has no tests for `{code[0]}`"
    return f"The folder `{path.name}` has tests, but no file that `{tests[0]}` could test"


def _ours(path: Path, files: list[str], pair: tuple[str, str]) -> CodeFolder:
    source, test = pair
    language = language_of(source)
    assert language is not None  # only files of known languages make a pair
    suffix = PurePosixPath(source).suffix
    reference = tuple(name for name in (f"solution{suffix}", f"example{suffix}") if name in files)
    header = parse_header(_text(path / source))
    rest = [name for name in files if name not in {source, test, *reference}]
    hidden = [name for name in rest if _is_hidden(name)]
    return CodeFolder(
        path=path,
        layout="paige",
        language=language.name,
        solution=(source,),
        tests=(test,),
        reference=reference,
        hidden=tuple(sorted({*reference, *hidden})),
        data=tuple(name for name in rest if name not in hidden and not name.startswith(".docs/")),
        concept_ids=(header.concept_id or path.name,),
        title=header.title or path.name,
        bloom_level=header.bloom_level,
        instructions=header.instructions,
        hints=header.hints,
    )


def _is_hidden(name: str) -> bool:
    return PurePosixPath(name).parts[0] in _HIDDEN_FOLDERS


def _exercism(path: Path, files: list[str]) -> CodeFolder:
    config = _config(path / ".meta" / "config.json")
    listed = config.get("files")
    if not isinstance(listed, Mapping):
        raise BadInput(
            f"`.meta/config.json` of `{path.name}` has no `files`",
            hint="It should name the files under `solution` and `test`.",
        )
    solution = _listed(listed, "solution", path, files)
    tests = _listed(listed, "test", path, files)
    reference = tuple(
        name
        for kind in ("example", "exemplar")
        for name in _listed(listed, kind, path, files, needed=False)
    )
    editor = _listed(listed, "editor", path, files, needed=False)
    language = language_of(solution[0])
    if language is None:
        raise BadInput(f"Paige does not know the programming language of `{solution[0]}`")
    hidden = {name for name in files if _is_hidden(name)} | set(reference)
    own = {*solution, *tests, *editor, *hidden}
    header = _docs(path)
    return CodeFolder(
        path=path,
        layout="exercism",
        language=language.name,
        solution=solution,
        tests=tests,
        reference=reference,
        hidden=tuple(sorted(hidden)),
        editor=editor,
        data=tuple(n for n in files if n not in own and not n.startswith(".docs/")),
        concept_ids=_concepts(path),
        title=header.title or path.name.replace("-", " ").replace("_", " ").title(),
        instructions=header.instructions or str(config.get("blurb") or ""),
        hints=header.hints,
    )


def _config(path: Path) -> Mapping[str, object]:
    try:
        data = json.loads(_text(path))
    except json.JSONDecodeError as error:
        raise BadInput(
            f"`.meta/config.json` is not JSON: line {error.lineno}, {error.msg}"
        ) from None
    if not isinstance(data, Mapping):
        raise BadInput("`.meta/config.json` should hold an object")
    return data


def _listed(
    listed: Mapping[str, object], kind: str, path: Path, files: list[str], *, needed: bool = True
) -> tuple[str, ...]:
    names = listed.get(kind) or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadInput(f"`files.{kind}` in `.meta/config.json` should be a list of names")
    found = []
    for name in names:
        parts = PurePosixPath(name.replace("%{kebab_slug}", path.name)).parts
        if ".." in parts or name.startswith(("/", "~")) or ":" in name:
            raise BadInput(f"`{name}` in `.meta/config.json` leads out of the folder")
        plain = PurePosixPath(*parts).as_posix()
        if plain in files:
            found.append(plain)
        elif needed:
            raise BadInput(f"`{path.name}` should have a file `{plain}`, and has not")
    if needed and not found:
        raise BadInput(f"`.meta/config.json` of `{path.name}` names no {kind} file")
    return tuple(found)


def _docs(path: Path) -> CodeHeader:
    docs = path / ".docs"
    names = ("introduction.md", "instructions.md", "instructions.append.md")
    texts = [_text(docs / name).strip() for name in names if (docs / name).is_file()]
    hints = _text(docs / "hints.md") if (docs / "hints.md").is_file() else ""
    return CodeHeader(instructions="\n\n".join(texts), hints=_hints(hints))


def _hints(text: str) -> tuple[str, ...]:
    """The hints of a markdown file, each with the heading it stands under."""
    found: list[str] = []
    heading = ""
    for part in re.split(r"\n(?=#)", text.replace("\r\n", "\n")):
        first, _, rest = part.partition("\n")
        if first.startswith("#"):
            heading, part = first.lstrip("# ").strip(), rest
        plain = heading.lower() in {"", "hints", "general"}
        found.extend(hint if plain else f"{heading}: {hint}" for hint in split_hints(part))
    return tuple(found)


def _concepts(path: Path) -> tuple[str, ...]:
    """The concepts the track gives this exercise; without a track, the exercise's own name."""
    for parent in list(path.resolve().parents)[1:3]:
        config = parent / "config.json"
        if not config.is_file():
            continue
        try:
            exercises = json.loads(_text(config))["exercises"]
            every: Iterable[dict] = [*exercises.get("concept", []), *exercises.get("practice", [])]
            for each in every:
                if each.get("slug") == path.name:
                    named = each.get("concepts") or each.get("practices") or [path.name]
                    return tuple(str(name) for name in named)
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
    return (path.name,)


def _text(path: Path) -> str:
    return decode(path.read_bytes())


MOST_BYTES = 16 * 2**20
MOST_FILES = 500
_STEERING = {
    "conftest.py", "pytest.ini", "pytest.toml", "pyproject.toml", "tox.ini", "setup.cfg",
    "setup.py", "sitecustomize.py", "usercustomize.py", "package.json", "pyvenv.cfg",
}  # fmt: skip
_NOT_PLAIN = (".pyc", ".pyo", ".pyd", ".so", ".pth", ".egg-link", ".node", ".dll", ".dylib")
_TOOLS = {"pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py"}


@dataclass(frozen=True, slots=True)
class Testable:
    """The files of a run by name; `left_out` are those that could have come but must not."""

    __test__ = False  # so that pytest does not take it for a class of tests

    folder: CodeFolder
    files: dict[str, bytes]
    left_out: tuple[str, ...]

    @property
    def hashes(self) -> dict[str, str]:
        """What the tests were before anything ran, by the name of their file."""
        return {
            PurePosixPath(name).name: hashlib.sha256(self.files[name]).hexdigest()
            for name in self.folder.tests
        }


def files_to_test(folder: CodeFolder) -> Testable:
    """Choose and read the files. Raises: BadInput when they are too many, or one is a link out."""
    declared = (*folder.solution, *folder.tests, *folder.editor)
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    root = folder.path.resolve()
    for name in dict.fromkeys((*declared, *folder.data)):
        if not _harmless(name, declared=name in declared):
            left_out.append(name)
            continue
        real = Path(os.path.realpath(root / name))
        if not real.is_file() or not real.is_relative_to(root):
            raise BadInput(f"`{name}` is not a plain file inside `{folder.path.name}`")
        total = real.stat().st_size + sum(map(len, files.values()))
        if len(files) >= MOST_FILES or total > MOST_BYTES:
            raise BadInput(
                f"`{folder.path.name}` is too large for an exercise: at most {MOST_FILES} files "
                f"and {MOST_BYTES // 2**20} MB"
            )
        files[name] = real.read_bytes()
    return Testable(folder, files, tuple(left_out))


def with_given(tested: Testable, given: Mapping[str, str]) -> Testable:
    """The same with these files as they were given out, whatever was written over them.

    Raises: BadInput when the folder has other tests.
    """
    folder = tested.folder
    changed = [name for name in given if name.startswith(".meta/")]
    changed = [name for name in changed if _sent_text(folder.path / name) != given[name].encode()]
    if changed or not given.keys() >= set(folder.tests):
        raise BadInput(
            f"The tests in `{folder.path.name}` are not those of this exercise",
            hint="Hand in the folder that the exercise was given out in.",
        )
    files = {name: given[name].encode() if name in given else tested.files[name]
             for name in tested.files}  # fmt: skip
    return replace(tested, files=files)


def _sent_text(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _harmless(name: str, *, declared: bool) -> bool:
    """Whether a file neither steers the tests nor stands in for a part of Python."""
    path = PurePosixPath(name)
    if path.name in _STEERING or path.name.endswith(_NOT_PLAIN) or path.name.startswith("."):
        return False
    if declared or path.suffix != ".py":
        return True
    top = path.parts[0].removesuffix(".py")
    return top not in _TOOLS and top not in sys.stdlib_module_names
