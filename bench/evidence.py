"""How many curriculum claims are judged rightly: true pointers, changed ones, known wrong ones.

    python -m bench.evidence [--json]

True pointers are those of the shipped curriculum. Changed ones are made from them, one thing at a
time: line, range, word, code, edition, file, level. Known wrong claims and the list of codes are
public data that is not part of the project; without it those figures are left out.
"""

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.marking_data import folder
from paige.base.paths import shipped
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.values import Library, Outcome
from paige.plan.evidence import check
from paige.store.documents import DirectoryDocuments

KINDS = ("line", "range", "word", "code", "edition", "file", "level")


@dataclass(frozen=True, slots=True)
class Mutant:
    """A pointer that was true before something in it was changed."""

    kind: str
    text: str
    code: str


@dataclass(frozen=True, slots=True)
class Change:
    """What is written in place of the truth; empty where it stays."""

    code: str = ""
    path: str = ""
    lines: tuple[int, int] | None = None
    quote: str = ""
    after: str = ""


def written(outcome: Outcome, change: Change | None = None) -> str:
    """A pointer to an outcome as a lesson writes it."""
    said = change or Change()
    start, end = said.lines or (outcome.start, outcome.about_end)
    place = f"{said.path or outcome.path}#L{start}-L{end}"
    return f'- [{said.code or outcome.code}]({place}) "{said.quote or outcome.quote}"{said.after}\n'


def mutants(library: Library) -> Iterator[Mutant]:
    """Changes of every pointer, one thing at a time, without chance."""
    paths = [each.path for each in library.curricula]
    for file in library.curricula:
        elsewhere = paths[(paths.index(file.path) + 1) % len(paths)]
        for number, row in enumerate(file.outcomes):
            other = file.outcomes[(number + 1) % len(file.outcomes)]
            changes = {
                "line": _lines(row, len(file.lines)),
                "range": _ranges(row, len(file.lines)),
                "word": [Change(quote=each) for each in _words(row.quote)],
                "code": [Change(code=each) for each in _codes(row, other)],
                "edition": [Change(after=f" (edition {each})") for each in ("2009", "2017")],
                "file": _files(row, elsewhere),
                "level": [Change(after=" (Early level)")] if row.level != "Early" else [],
            }
            for kind in KINDS:
                yield from (Mutant(kind, written(row, each), row.code) for each in changes[kind])


def run() -> dict[str, object]:
    """The figures, as (judged rightly, all)."""
    library = load_all(DirectoryDocuments(shipped("workspace")))
    true = [check(written(each), library).ok for each in library.outcomes]
    counted: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for each in mutants(library):
        counted[each.kind] += 1
        refused[each.kind] += not check(each.text, library).ok
    figures: dict[str, object] = {
        "true pointers accepted": [sum(true), len(true)],
        **{f"changed {kind} refused": [refused[kind], counted[kind]] for kind in KINDS},
    }
    data = folder() / "cfe"
    if data.is_dir():
        figures["known wrong claims refused"] = _known_wrong(data / "known_wrong.tsv", library)
        figures["codes with their grade"] = _codes_kept(data / "codes.tsv", library)
    return figures


def _known_wrong(path: Path, library: Library) -> list[int]:
    """Each claim as a pointer at the row of its code, and as a plain sentence."""
    rows = _read(path)
    right = 0
    for row in rows:
        code, claim = row["code"], row["wrong_claim_in_our_words"].replace('"', "")
        place = (library.named(code) or library.outcomes)[0]
        texts = (written(place, Change(code=code, quote=claim)), f"{code}: {claim}\n")
        right += all(not check(text, library).ok for text in texts)
    return [right, len(rows)]


def _codes_kept(path: Path, library: Library) -> list[int]:
    rows = _read(path)
    kept = {(each.code, each.level, each.grade) for each in library.outcomes}
    return [sum((row["code"], row["level"], row["grade"]) in kept for row in rows), len(rows)]


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t"))


def _lines(row: Outcome, most: int) -> list[Change]:
    height = row.about_end - row.start
    starts = [row.start - 1, row.start + 1, row.start + 100, most + 1]
    return [Change(lines=(start, start + height)) for start in starts]


def _ranges(row: Outcome, most: int) -> list[Change]:
    wide = [(row.start - 1, row.about_end), (row.start, row.end + 1), (1, most)]
    return [Change(lines=each) for each in wide]


def _words(quote: str) -> Iterator[str]:
    words = quote.split()
    middle = len(words) // 2
    for at in sorted({0, middle, len(words) - 1}):
        yield " ".join([*words[:at], "bananas", *words[at + 1 :]])  # another word
        yield " ".join([*words[: at + 1], "never", *words[at + 1 :]])  # one more
    yield " ".join([words[1], words[0], *words[2:]])  # two in the other order
    yield " ".join([*words[:middle], *words[middle + 1 :]])  # one less


def _codes(row: Outcome, other: Outcome) -> Iterator[str]:
    yield other.code
    yield row.code[:-1] + ("z" if row.code[-1] != "z" else "y")
    yield "MTH 3-22a"


def _files(row: Outcome, elsewhere: str) -> list[Change]:
    gone = row.path.replace(".md", "-old.md")
    return [Change(path=each) for each in (elsewhere, gone, f"classes/{row.path}")]


if __name__ == "__main__":
    result = run()
    if "--json" in sys.argv:
        print(json.dumps(result))
    else:
        for name, figure in result.items():
            print(f"{name}: {figure}")
