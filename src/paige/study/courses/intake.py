"""Taking in a deck, a table or a track as a course, as often as wanted: nothing is there twice."""

import re
import stat
import tempfile
import zipfile
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePath, PurePosixPath
from typing import Literal

from paige.base.errors import BadInput, Conflict, NotFound
from paige.exercise.exchange.anki_in import read_apkg
from paige.exercise.exchange.csv_files import read_cards
from paige.exercise.exchange.exercism_track import read_track
from paige.exercise.exchange.tables_text import MOST_BYTES
from paige.exercise.exchange.values import FileImport
from paige.exercise.ids import slug
from paige.store.documents import Documents
from paige.study.courses.card_import import plan_cards
from paige.study.courses.catalogue import checked_name, course_names, load_course
from paige.study.courses.reader import FOLDER
from paige.study.courses.reviews import keep_reviews
from paige.study.courses.track_import import plan_track
from paige.study.courses.values import Course
from paige.study.courses.writer import add_to_course, ids_of

MOST_UNPACKED = 256 * 2**20
MOST_FILES = 20_000
_STRANGE = re.compile(r"[\\\0:]")
ImportForm = Literal["anki", "csv", "exercism"]


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that somebody sent: its name, and what is in it."""

    name: str
    data: bytes

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return PurePath(self.name).stem


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """What a person may decide: the name of the course, words both ways, reviews or not.

    `learner` is the folder of whoever did the reviews.
    """

    name: str = ""
    both_ways: bool = False
    reviews: bool = True
    learner: str = "learner"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntakeResult:
    """What an import did. `differing` are items that read otherwise than the file; they stayed."""

    course: Course
    added: int
    there: int
    reviewed: int = 0
    differing: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def import_course(
    documents: Documents,
    form: ImportForm,
    source: Path | Upload,
    options: ImportOptions,
    *,
    now: datetime,
) -> IntakeResult:
    """Take a file, a folder or a zipped track in as a course.

    What the course has already stays as it is, so doing it again adds only what is new.

    Raises: NotFound, BadInput, Conflict.
    """
    if form == "exercism":
        if isinstance(source, Path):
            return _track(documents, source, options)
        with tempfile.TemporaryDirectory(prefix="paige-track-") as folder:
            return _track(documents, unpack_track(source.data, Path(folder)), options)
    if form == "anki":
        found = read_apkg(source if isinstance(source, Path) else source.data)
    else:
        found = _table(source)
    return _cards(documents, found, source, options, now)


def _cards(
    documents: Documents,
    found: FileImport,
    source: Path | Upload,
    options: ImportOptions,
    now: datetime,
) -> IntakeResult:
    name = _name(documents, options.name or slug(_common(found) or source.stem))
    plan = plan_cards(
        found.decks,
        _known(documents, name),
        title=_common(found) or source.stem,
        both_ways=options.both_ways,
    )
    if not plan.placed:
        raise BadInput(
            f"`{source.name}` has no card that could be asked",
            hint="A card needs a front and a back, or a blank.",
        )
    course = add_to_course(documents, name, plan.addition)
    reviewed = 0
    if options.reviews:
        reviewed = keep_reviews(documents, name, plan.placed, now=now, root=options.learner)
    return IntakeResult(
        course=course,
        added=plan.added,
        there=plan.there,
        reviewed=reviewed,
        differing=plan.differing,
        left_out=(*plan.left_out, *(str(each) for each in found.problems)),
        remarks=found.remarks,
    )


def _track(documents: Documents, source: Path, options: ImportOptions) -> IntakeResult:
    track = read_track(source)
    name = _name(documents, options.name or slug(track.slug))
    known = _known(documents, name)
    plan = plan_track(track)
    taken = ids_of(known) if known else frozenset()
    there = sum(item["id"] in taken for found in plan.addition.items.values() for item in found)
    course = add_to_course(documents, name, plan.addition)
    return IntakeResult(
        course=course,
        added=plan.exercises - there,
        there=there,
        left_out=plan.left_out,
        remarks=plan.remarks,
    )


def _table(source: Path | Upload) -> FileImport:
    data = source.data if isinstance(source, Upload) else _bytes(source)
    return read_cards(data, name=source.stem or "Cards")


def _bytes(source: Path) -> bytes:
    try:
        with source.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise NotFound(f"There is no `{source}`", hint="Give a file of cards.") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"`{source}` cannot be read: {error}") from error


def _common(found: FileImport) -> str:
    """The deck all cards are in, if it is one."""
    tops = {deck.name.partition("::")[0].strip() for deck in found.decks if deck.cards}
    return tops.pop() if len(tops) == 1 else ""


def _name(documents: Documents, name: str) -> str:
    """The name of the course. Raises: BadInput, Conflict for that of a shipped course."""
    checked_name(name)
    if name in course_names(documents) and not documents.paths(f"{FOLDER}/{name}"):
        raise Conflict(
            f"`{name}` is a course that comes with Paige", hint="Give yours a name with `--as`."
        )
    return name


def _known(documents: Documents, name: str) -> Course | None:
    return load_course(documents, name) if documents.paths(f"{FOLDER}/{name}") else None


def unpack_track(data: bytes, folder: Path) -> Path:
    """The folder of the track in a zip. Raises: BadInput.

    Only plain files below the folder are written: no links, no way out, and not too much.
    """
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            _unpack(packed, folder)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise BadInput(
            f"This is no zip Paige can read: {error}", hint="Zip the folder of the track."
        ) from error
    found = sorted(folder.rglob("config.json"), key=lambda path: len(path.parts))
    tracks = [path.parent for path in found if (path.parent / "exercises").is_dir()]
    if not tracks:
        raise BadInput(
            "There is no Exercism track in this zip",
            hint="A track has `config.json` and the folder `exercises`.",
        )
    return tracks[0]


def _unpack(packed: zipfile.ZipFile, folder: Path) -> None:
    entries = [each for each in packed.infolist() if not each.is_dir()]
    if len(entries) > MOST_FILES or sum(each.file_size for each in entries) > MOST_UNPACKED:
        raise BadInput(
            f"The zip holds more than {MOST_FILES} files or {MOST_UNPACKED // 2**20} MiB",
            hint="Use `paige study import exercism FOLDER`.",
        )
    left = MOST_UNPACKED
    for entry in entries:
        name = PurePosixPath(entry.filename)
        if name.is_absolute() or ".." in name.parts or _STRANGE.search(entry.filename):
            raise BadInput(
                f"`{entry.filename[:100]}` leads out of the zip",
                hint="Zip the folder of the track.",
            )
        if stat.S_ISLNK(entry.external_attr >> 16):
            continue
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(entry) as source:
            content = source.read(left + 1)  # what the zip says of itself may be wrong
        left -= len(content)
        if left < 0:
            raise BadInput("The zip holds more than it says", hint="Zip the folder again.")
        place.write_bytes(content)
