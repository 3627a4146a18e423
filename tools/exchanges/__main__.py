"""`python -m tools.exchanges record DIR`, and `compare DIR`."""

import argparse
import difflib
import fcntl
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

from tools.exchanges.chance import begin_anew
from tools.exchanges.subjects import SUBJECTS, record
from tools.exchanges.world import Json

DOORS = ("rest", "socket", "mcp", "cli", "script")


def main() -> int:
    """Record, or record again and compare."""
    parser = argparse.ArgumentParser(prog="python -m tools.exchanges", description=__doc__)
    parser.add_argument("act", choices=("record", "compare"))
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument(
        "--only", default="", help="Names that begin so, such as `study` or `study cli`."
    )
    parser.add_argument(
        "--allow", type=Path, help="A file of intended differences: `NAME: reason`."
    )
    parser.add_argument(
        "--keep", type=Path, help="With compare: also write the new recording here."
    )
    given = parser.parse_args()
    chosen = [name for name in SUBJECTS if name.startswith(given.only.split(" ")[0])]
    began = time.monotonic()
    found = recorded(chosen)
    print(f"{summary(found)}; {time.monotonic() - began:.0f} s together")
    if given.act == "record":
        write(given.folder, found)
        return 0
    if given.keep:
        write(given.keep, found)
    return compare(read(given.folder, chosen), found, given.only, allowed(given.allow))


def recorded(chosen: list[str]) -> dict[str, list[Json]]:
    """The exchanges of subjects, two at a time."""
    with own_folder() as folder, ThreadPoolExecutor(2) as pool:
        places = [folder / name for name in chosen]
        for place in places:
            place.mkdir()
        return dict(zip(chosen, pool.map(timed, chosen, places), strict=True))


@contextmanager
def own_folder() -> Iterator[Path]:
    """A folder whose path is as long every time: some texts are cut where they get too long."""
    for number in range(10, 100):
        place = Path(tempfile.gettempdir()) / f"paige-exchanges-{number}"
        with place.with_suffix(".lock").open("w") as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # goes with the process
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            yield place
            shutil.rmtree(place, ignore_errors=True)
            return
    raise LookupError("a hundred recordings at once are too many")


def timed(name: str, place: Path) -> list[Json]:
    """The exchanges of one subject; how long they took is told."""
    began = time.monotonic()
    begin_anew(name)
    found = record(name, place)
    print(f"{name}: {len(found)} exchanges in {time.monotonic() - began:.0f} s", flush=True)
    return found


def summary(found: dict[str, list[Json]]) -> str:
    """How many exchanges at which door."""
    counts = Counter(each["door"] for exchanges in found.values() for each in exchanges)
    return ", ".join(f"{counts[door]} {door}" for door in DOORS if counts[door])


def write(folder: Path, found: dict[str, list[Json]]) -> None:
    """One file a subject, one exchange a line."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, exchanges in found.items():
        lines = [json.dumps(each, ensure_ascii=False) for each in exchanges]
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n")


def read(folder: Path, chosen: list[str]) -> dict[str, list[Json]]:
    """What was recorded."""
    files = {name: folder / f"{name}.jsonl" for name in chosen}
    return {
        name: [json.loads(line) for line in file.read_text().splitlines()]
        for name, file in files.items()
        if file.exists()
    }


def allowed(file: Path | None) -> dict[str, str]:
    """Beginnings of names whose difference is intended, and why."""
    lines = file.read_text().splitlines() if file else []
    pairs = [line.rpartition(": ") for line in lines if line.strip() and line[0] != "#"]
    return {name.strip(): reason for name, _, reason in pairs}


def compare(
    before: dict[str, list[Json]], after: dict[str, list[Json]], only: str, intended: dict[str, str]
) -> int:
    """Print what is different; return 1 when something is."""
    old = {each["name"]: each for exchanges in before.values() for each in exchanges}
    new = {each["name"]: each for exchanges in after.values() for each in exchanges}
    names = [name for name in dict.fromkeys([*old, *new]) if name.startswith(only)]
    differing = [name for name in names if old.get(name) != new.get(name)]
    excused = [name for name in differing if name.startswith(tuple(intended))]
    doors = {name: (old.get(name) or new[name])["door"] for name in differing}
    for door in DOORS:
        here = [name for name in differing if doors[name] == door and name not in excused]
        if here:
            print(f"\n=== {door}: {len(here)} different")
        for name in here:
            print("\n".join(difference(name, old.get(name), new.get(name))))
    wrong = len(differing) - len(excused)
    print(f"{len(names)} exchanges, {wrong} different, {len(excused)} intended")
    return 1 if wrong else 0


def difference(name: str, old: Json | None, new: Json | None) -> list[str]:
    """One exchange, as a diff."""
    sides = [json.dumps(side, indent=1, ensure_ascii=False).splitlines() if side else []
             for side in (old, new)]  # fmt: skip
    lines = list(difflib.unified_diff(*sides, "before", "after", n=2, lineterm=""))[2:]
    return [f"\n--- {name}", *lines]


if __name__ == "__main__":
    sys.exit(main())
