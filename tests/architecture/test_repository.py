"""The repository is the same for everyone: it names no machine and no package registry."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# Put together here, so that this file does not hold them; a tool may be told not to write them.
MARKERS = re.compile(
    "|".join(
        ['"resol' + 'ved":', "(?<!no-emit-)index" + "-url", "(?<!no-emit-)find" + "-links"]
    ).encode()
)


def files_of_the_repository() -> list[Path]:
    """Tracked files and those that are about to be."""
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
        timeout=30,
    )
    names = listed.stdout.decode().split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def places(folders: list[Path]) -> re.Pattern[bytes]:
    """Finds a path below one of the folders, but not `src/app/` when the folder is `/app`."""
    known = [re.escape(str(folder).encode()) for folder in folders if folder != folder.parent]
    return re.compile(rb"(?<![\w.~-])(?:" + b"|".join(known) + rb")/")


HERE = places([ROOT, ROOT.parent])


def test_no_file_names_a_registry_or_a_place_of_this_machine() -> None:
    files = files_of_the_repository()
    assert ROOT / "pyproject.toml" in files
    wrong: list[str] = []
    for path in files:
        content = path.read_bytes()
        found = {*MARKERS.findall(content), *HERE.findall(content)}
        wrong += [f"{path.relative_to(ROOT)}: {each.decode()}" for each in found]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ('"resol' + 'ved": "https://x"', True),
        ("pip install --extra-index" + "-url x", True),
        ("find" + "-links = x", True),
        ("--no-emit-index" + "-url", False),
    ],
)
def test_a_registry_would_be_seen(text: str, seen: bool) -> None:
    assert bool(MARKERS.search(text.encode())) is seen


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("cd /build/repo/src", True),
        ('"/build/other"', True),
        ("file:///build/repo/x", True),
        ("src/build/x", False),
        ("./build/x", False),
        ("/builder/x", False),
    ],
)
def test_a_path_of_a_machine_would_be_seen(text: str, seen: bool) -> None:
    pattern = places([Path("/build/repo"), Path("/build"), Path("/")])
    assert bool(pattern.search(text.encode())) is seen
