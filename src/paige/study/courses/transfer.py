"""Courses begun, taken in and given out, whoever asks for it."""

import os
import re
import stat
import tempfile
import zipfile
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath

from paige.base.errors import BadInput
from paige.exercise.exchange.xapi import Who
from paige.learner.files import LearnerFiles
from paige.store.documents import DirectoryDocuments
from paige.study.courses.exporting import ExportForm, export_cards, export_results
from paige.study.courses.importing import ImportForm, ImportOptions, Taken, Upload, import_course
from paige.study.courses.loading import load_course
from paige.study.courses.statements import learner_token
from paige.study.courses.values import Course
from paige.study.courses.writing import new_course, retitle
from paige.study.session.context import learner_root

MOST_UPLOAD = 64 * 2**20
MOST_UNPACKED = 256 * 2**20
MOST_FILES = 20_000
_STRANGE = re.compile(r"[\\\0:]")
_MEDIA = {
    "anki": ("apkg", "application/octet-stream"),
    "csv": ("csv", "text/csv; charset=utf-8"),
    "tsv": ("tsv", "text/tab-separated-values; charset=utf-8"),
    "xapi": ("jsonl", "application/x-ndjson"),
}


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A course as a file for another program."""

    name: str
    media_type: str
    content: bytes


def begin_course(
    documents: DirectoryDocuments, *, name: str, template: str, title: str | None
) -> Course:
    """A new course from a template or another course. Raises: NotFound, BadInput, Conflict."""
    course = new_course(documents, name, template)
    wanted = " ".join((title or "").split())
    return retitle(documents, name, wanted) if wanted else course


def take_in(
    documents: DirectoryDocuments,
    now: datetime,
    *,
    form: ImportForm,
    upload: Upload,
    options: ImportOptions,
) -> Taken:
    """A deck, a table or a zipped track as a course. Raises: BadInput, Conflict."""
    if form != "exercism":
        return import_course(documents, form, upload, options, now=now)
    with tempfile.TemporaryDirectory(prefix="paige-track-") as folder:
        track = unpack_track(upload.data, Path(folder))
        return import_course(documents, form, track, options, now=now)


def give_out(
    documents: DirectoryDocuments,
    now: datetime,
    *,
    course: str,
    form: ExportForm,
    learner: str | None,
    home: str,
) -> ExportFile:
    """A course for another program. Raises: NotFound, BadInput."""
    files = LearnerFiles(documents, root=learner_root(learner))
    found = load_course(documents, course)
    if form == "xapi":
        token = learner_token(files, os.urandom(16))
        data = export_results(found.name, files, Who(token, home)).encode()
    else:
        data = export_cards(found, files, form=form, now=now)
    ending, media = _MEDIA[form]
    return ExportFile(f"{found.name}.{ending}", media, data)


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
