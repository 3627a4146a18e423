"""`vocabulary.tsv` of a course: a word a line, asked in both directions."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.exercise.ids import slug
from paige.exercise.worksheet.key import ALTERNATIVES
from paige.learner.json_files import StudyProblem
from paige.study.courses.fields import accepted, concept_id, fewer, item_id
from paige.study.courses.values import Word

PATH = "vocabulary.tsv"
COLUMNS = ("term", "meaning", "concept", "example", "example meaning")
ALL_COLUMNS = (*COLUMNS, "id", "tags", "note", "card")
_LEAST = 3


class VocabularyFile(NamedTuple):
    """What was read from a vocabulary."""

    words: tuple[Word, ...]
    problems: tuple[StudyProblem, ...]


def read_vocabulary(path: str, text: str) -> VocabularyFile:
    """The words in a file, with what is wrong in it."""
    words: list[Word] = []
    problems: list[StudyProblem] = []
    columns: Sequence[str] = COLUMNS
    begun = False
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        row = line.removesuffix("\r")
        if not row.strip() or (row.startswith("#") and "\t" not in row):
            continue
        cells = [cell.strip() for cell in row.split("\t")]
        header, begun = (_header(cells) if not begun else None), True
        if header is not None:
            columns = header
            continue
        try:
            words.append(replace(_word(cells, columns), path=path, line=number))
        except BadInput as error:
            fix = error.hint or "Compare it with its neighbours."
            problems.append(StudyProblem(path, number, error.message, fix))
    return VocabularyFile(tuple(_with_ids(words)), tuple(fewer(problems)))


def _header(cells: list[str]) -> list[str] | None:
    """The columns that a first row names, if it names any."""
    names = [" ".join(cell.lower().replace("_", " ").split()) for cell in cells]
    return names if names[:1] == ["term"] or {"term", "meaning"} <= set(names) else None


def _word(cells: list[str], columns: Sequence[str]) -> Word:
    row = {name: cell for name, cell in zip(columns, cells, strict=False) if cell}
    missing = next((name for name in COLUMNS[:_LEAST] if name not in row), None)
    if missing is not None:
        raise BadInput(
            f"this row has no {missing}", hint="A row is: term, tab, meaning, tab, concept."
        )
    if len(cells) > len(columns) and any(cells[len(columns) :]):
        raise BadInput(
            f"this row has {len(cells)} columns", hint=f"There are {len(columns)} columns."
        )
    if "\0" in "".join(cells):
        raise BadInput("this row holds a character that is none", hint="Type it again.")
    return Word(
        id=item_id(row["id"]) if "id" in row else "",
        terms=accepted(row["term"], "term"),
        meanings=accepted(row["meaning"], "meaning"),
        concept_id=concept_id(row["concept"]),
        example=row.get("example", ""),
        example_meaning=row.get("example meaning", ""),
        note=row.get("note", ""),
        tags=tuple(row.get("tags", "").split()),
        card=row.get("card", ""),
    )


def _with_ids(words: Iterable[Word]) -> list[Word]:
    """Words with an id each: their own, or one made from the term."""
    words = list(words)
    taken = {word.id for word in words if word.id}
    made: list[Word] = []
    for word in words:
        if word.id:
            made.append(word)
            continue
        plain = f"w-{slug(word.term)}"
        name, number = plain, 2
        while name in taken:
            name, number = f"{plain}-{number}", number + 1
        taken.add(name)
        made.append(replace(word, id=name))
    return made


def columns_of(text: str) -> Sequence[str]:
    """The columns of a file, whether it names them or not."""
    for line in text.removeprefix("\ufeff").split("\n"):
        row = line.removesuffix("\r")
        if row.strip() and not (row.startswith("#") and "\t" not in row):
            return _header([cell.strip() for cell in row.split("\t")]) or COLUMNS
    return COLUMNS


def write_row(word: Word, columns: Sequence[str]) -> str:
    """A word as a row with these columns, on one line."""
    cells = {
        "term": ALTERNATIVES.join(word.terms),
        "meaning": ALTERNATIVES.join(word.meanings),
        "concept": word.concept_id,
        "example": word.example,
        "example meaning": word.example_meaning,
        "id": word.id,
        "tags": " ".join(word.tags),
        "note": word.note,
        "card": word.card,
    }
    return "\t".join(" ".join(cells.get(name, "").split()) for name in columns).rstrip("\t")
