"""What is in the wheel: everything that runs, nothing else, and no more than it should weigh."""

import email
import fnmatch
import subprocess
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from tests.packaging.building import ROOT, Built, build
from tools.licences import LINE, TARGET, name_of, packages

# In thousands of bytes, packed; what was measured when they were set and a fifth on top.
MOST = {
    "shipped/vectors": 8_000,
    "shipped/web": 2_000,
    "shipped/docs": 1_400,
    "shipped/fonts": 370,
    "shipped": 800,
    "code": 2_900,
    "metadata": 140,
}
MOST_OF_ALL = 15_500
STRAYS = (
    *(
        "*.map",
        "*.pyc",
        "*/__pycache__/*",
        "*/node_modules/*",
        "*/tests/*",
        "*/test_*.py",
        "*.orig",
    ),
    *("*/.DS_Store", "*.env", "*/.env", "*.log", "*.db", "*.ts", "*.tsx", "*~"),
)


@pytest.fixture(scope="module")
def sizes(built: Built) -> dict[str, int]:
    """Every file of the wheel with its packed size."""
    with zipfile.ZipFile(built.wheel) as wheel:
        return {each.filename: each.compress_size for each in wheel.infolist()}


def part(name: str) -> str:
    """Which budget a file counts for."""
    top, *rest = name.split("/")
    if top.endswith(".dist-info"):
        return "metadata"
    if rest[0] != "shipped":
        return "code"
    folder = f"shipped/{rest[1]}"
    return folder if folder in MOST else "shipped"


def test_no_part_of_the_wheel_grows_beyond_its_budget(built: Built, sizes: dict[str, int]) -> None:
    parts: Counter[str] = Counter()
    folders: Counter[str] = Counter()
    for name, size in sizes.items():
        parts[part(name)] += size
        folders["/".join(name.split("/")[:3])] += size
    over = {name: size for name, size in parts.items() if size > MOST[name] * 1000}
    assert over == {}, f"The largest folders: {folders.most_common(12)}"
    assert built.wheel.stat().st_size <= MOST_OF_ALL * 1000, folders.most_common(12)


def test_the_wheel_holds_every_file_of_the_package(sizes: dict[str, int]) -> None:
    source = ROOT / "src"
    there = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*")
        if path.is_file() and not stray(path.as_posix())
    }
    packed = {name for name in sizes if ".dist-info/" not in name}
    assert len(there) > 1000
    assert (sorted(packed - there), sorted(there - packed)) == ([], [])
    assert {"paige/shipped/web/index.html", "paige/shipped/doors.toml"} <= packed


def test_the_wheel_holds_no_stray_file(sizes: dict[str, int]) -> None:
    assert [name for name in sizes if stray(name)] == []


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("paige/shipped/web/assets/start.js.map", True),
        ("paige/cli/__pycache__/main.cpython-311.pyc", True),
        ("paige/tests/test_x.py", True),
        ("paige/shipped/web/assets/start.js", False),
        ("paige/coach/tests.py", False),
    ],
)
def test_a_stray_file_would_be_seen(name: str, found: bool) -> None:
    assert stray(name) is found


def stray(name: str) -> bool:
    """Whether a file has no business in a wheel; what people are given as examples has."""
    given = ("/shipped/demo/", "/shipped/sample/", "/shipped/courses/", "/shipped/exercise/")
    if any(folder in name for folder in given):
        return fnmatch.fnmatch(name, "*/__pycache__/*")
    return any(fnmatch.fnmatch(name, pattern) for pattern in STRAYS)


def test_the_licences_of_paige_and_of_what_it_brings_are_there(sizes: dict[str, int]) -> None:
    packed = {name.partition(".dist-info/licenses/")[2] for name in sizes} - {""}
    assert packed == {
        "LICENSE",
        *(f"src/paige/shipped/fonts/LICENSE-{name}.txt" for name in fonts()),
        "src/paige/shipped/licences/web-packages.txt",
        "src/paige/shipped/vectors/NOTICE",
    }


def fonts() -> set[str]:
    """Fonts that come with Paige: in documents it writes, and in its pages."""
    source = ROOT / "src" / "paige" / "shipped"
    files = [*source.glob("fonts/*.ttf"), *source.glob("web/assets/*.woff2")]
    known = {"atkinson-hyperlegible-next", "besley", "dejavu"}
    assert [each.name for each in files if not each.name.startswith(tuple(known))] == []
    return known


def test_the_licences_of_the_web_app_name_every_package_in_it() -> None:
    written = TARGET.read_text(encoding="utf-8")
    blocks = written.split(f"\n\n{LINE}\n\n")[1:]
    named = {name for block in blocks for name in block.partition("\n")[0].split(", ")}
    wanted = {name_of(folder) for folder in packages()}
    assert (wanted - named, named - wanted) == (set(), set()), "Run `python tools/licences.py`."


def test_the_metadata_say_what_it_is_for_whom_and_where_it_runs(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        [name] = [each for each in wheel.namelist() if each.endswith(".dist-info/METADATA")]
        told = email.message_from_bytes(wheel.read(name))
    assert (told["Name"], told["License-Expression"]) == ("paige", "MIT")
    assert told["Requires-Python"] == ">=3.11"
    assert told["Summary"].startswith("A teaching companion")
    assert "teaching" in told["Keywords"]
    groups = {line.partition(" ::")[0] for line in told.get_all("Classifier", [])}
    assert {"Intended Audience", "Operating System", "Topic", "Programming Language"} <= groups
    assert told["Description-Content-Type"] == "text/markdown"


def test_the_source_archive_builds_the_same_wheel_byte_by_byte(
    built: Built, tmp_path: Path
) -> None:
    source = unpacked(built, tmp_path)
    done = build(source, tmp_path / "again", "wheel")
    assert done.returncode == 0, done.stderr
    [again] = (tmp_path / "again").glob("*.whl")
    assert again.name == built.wheel.name
    assert again.read_bytes() == built.wheel.read_bytes()


def test_without_the_web_app_no_wheel_is_built_and_it_is_said_what_to_do(
    built: Built, tmp_path: Path
) -> None:
    source = unpacked(built, tmp_path)
    (source / "src" / "paige" / "shipped" / "web" / "index.html").unlink()
    done: subprocess.CompletedProcess[str] = build(source, tmp_path / "again", "wheel")
    assert done.returncode != 0
    assert "make wheel" in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.glob("again/*.whl")) == []


def unpacked(built: Built, folder: Path) -> Path:
    """The source archive, as somebody would unpack it."""
    with tarfile.open(built.sdist) as archive:
        # The early releases of 3.11 know no filters.
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(folder, **safely)
    [source] = folder.glob("paige-*")
    return source
