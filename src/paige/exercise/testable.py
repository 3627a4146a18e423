"""What of a code exercise's folder comes along into the sandbox.

That is the learner's own work, the tests, and the files both need. Reference solutions never come
along, nor do files that would steer the test runner or stand in for a part of Python.
"""

import hashlib
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from paige.base.errors import BadInput
from paige.exercise.code_folder import CodeFolder

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
        if len(files) >= MOST_FILES or _size(files) + real.stat().st_size > MOST_BYTES:
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
    changed = [name for name in changed if _text(folder.path / name) != given[name].encode()]
    if changed or not given.keys() >= set(folder.tests):
        raise BadInput(
            f"The tests in `{folder.path.name}` are not those of this exercise",
            hint="Hand in the folder that the exercise was given out in.",
        )
    files = {name: given[name].encode() if name in given else tested.files[name]
             for name in tested.files}  # fmt: skip
    return replace(tested, files=files)


def _text(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _size(files: dict[str, bytes]) -> int:
    return sum(map(len, files.values()))


def _harmless(name: str, *, declared: bool) -> bool:
    """Whether a file neither steers the tests nor stands in for a part of Python."""
    path = PurePosixPath(name)
    if path.name in _STEERING or path.name.endswith(_NOT_PLAIN) or path.name.startswith("."):
        return False
    if declared or path.suffix != ".py":
        return True
    top = path.parts[0].removesuffix(".py")
    return top not in _TOOLS and top not in sys.stdlib_module_names
