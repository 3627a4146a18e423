"""The files of the exercise that is being done: their texts, photos and recordings.

Nothing else below the teaching folder can be reached through here. A worksheet keeps its answers in
a comment at its end; they are cut off before it is shown and put back when it is written.
"""

import io
import mimetypes
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from paige.base.errors import BadInput, Conflict, NotFound, Refused
from paige.base.files import write_atomic
from paige.base.wire import wire
from paige.exercise.ids import slug
from paige.store.documents import DirectoryDocuments, Document
from paige.study.delivery.photos import MOST_BYTES as MOST_PHOTO
from paige.study.delivery.presentation import audio_path, files_to_open
from paige.study.delivery.speech import MOST_BYTES as MOST_SOUND
from paige.study.values import Exercise, StudyUpload

UPLOADS = "uploads"
MOST_UPLOADS = 20
PHOTOS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff")
SOUNDS = (".wav", ".mp3", ".m4a", ".mp4", ".ogg", ".oga", ".opus", ".webm", ".flac")
_KEPT_BACK = ("solution.", "example.")
_KEY = re.compile(r"<!--\s*ANSWER[_ ]?KEY", re.IGNORECASE)
"""Where the answers of a worksheet begin, however an editor left the line."""


@wire
class StudyFile:
    """A file of the open exercise; `version` goes back with a change."""

    path: str
    text: str
    version: str
    editable: bool
    """Tests are shown, and not for editing."""


@wire
class StudyBothTexts:
    """What stands in a file now, and what was to be written."""

    current: StudyFile
    yours: str


class FileChanged(Conflict):
    """Somebody else wrote the file: what stands there now, and what was to be written."""

    def __init__(self, current: StudyFile, yours: str) -> None:
        super().__init__(
            f"`{current.path}` was changed by someone else meanwhile",
            hint="Look at both texts and save the one you want.",
        )
        self.beside = StudyBothTexts(current, yours)


@dataclass(frozen=True, slots=True)
class ExerciseFiles:
    """The files of one exercise of one learner, whose folder is `learner`."""

    documents: DirectoryDocuments
    exercise: Exercise
    learner: str

    @property
    def editable(self) -> tuple[str, ...]:
        """The files that the learner writes."""
        return files_to_open(self.exercise)

    @property
    def uploads(self) -> str:
        """The folder of what was handed over."""
        return f"{self.learner}/{self.exercise.course}/{UPLOADS}/{slug(self.exercise.id)}"

    def read(self, path: str) -> StudyFile:
        """One file. Raises: NotFound, Refused when it is not one of the exercise."""
        if path not in (*self.editable, *self._to_read()):
            raise _not_of_this(path)
        return self._opened(self.documents.read(path))

    def write(self, path: str, text: str, version: str | None) -> StudyFile:
        """Write a file over a version of it, or over what is there. Raises: FileChanged, Refused.

        Writing what stands there already changes nothing.
        """
        if path not in self.editable:
            raise _not_of_this(path)
        stored = self.documents.read(path)
        whole = _joined(text, stored.text)
        if whole == stored.text:
            return self._opened(stored)
        base = stored.version if version is None else version
        try:
            return self._opened(self.documents.write(path, whole, base=base))
        except Conflict as error:
            raise FileChanged(self._opened(self.documents.read(path)), text) from error

    def own(self, path: str) -> str:
        """The path of something that may be handed in. Raises: Refused."""
        known = (self.exercise.file_path or "", *self.editable)
        if path in known or path in {each.path for each in self.handed_over()}:
            return path
        raise _not_of_this(path)

    def keep(self, name: str, data: bytes) -> StudyUpload:
        """Keep a photo or a recording. Raises: BadInput when it is none, Refused."""
        suffix = self._checked(name, data)
        there = self.handed_over()
        if len(there) >= MOST_UPLOADS:
            raise Refused(
                f"There are {MOST_UPLOADS} files for this exercise already",
                hint="Hand one of them in.",
            )
        taken = {each.name for each in there}
        stem = slug(PurePosixPath(name.replace("\\", "/")).stem)
        numbers = range(1, MOST_UPLOADS + 2)
        names = [f"{stem}{suffix}", *(f"{stem}-{number}{suffix}" for number in numbers)]
        chosen = next(each for each in names if each not in taken)
        path = f"{self.uploads}/{chosen}"
        place = self._folder() / chosen
        write_atomic(place, data)
        return StudyUpload(path, chosen, len(data))

    def handed_over(self) -> tuple[StudyUpload, ...]:
        """Photos and recordings that were kept, the oldest first."""
        if self.exercise.modality not in ("image_review", "audio"):
            return ()
        place = self._folder()
        try:
            entries = [(each, each.stat()) for each in place.iterdir() if not each.is_symlink()]
        except FileNotFoundError:
            return ()
        files = [
            (each, facts)
            for each, facts in entries
            if each.is_file() and each.suffix.lower() in (*PHOTOS, *SOUNDS)
        ]
        ordered = sorted(files, key=lambda pair: (pair[1].st_mtime_ns, pair[0].name))
        return tuple(
            StudyUpload(f"{self.uploads}/{each.name}", each.name, facts.st_size)
            for each, facts in ordered
        )

    def upload(self, path: str) -> tuple[bytes, str]:
        """A photo or a recording with its type. Raises: NotFound."""
        if path not in {each.path for each in self.handed_over()}:
            raise NotFound(f"`{path}` was not uploaded for this exercise")
        data = (self._folder() / PurePosixPath(path).name).read_bytes()
        return data, mimetypes.guess_type(path)[0] or "application/octet-stream"

    def recording(self, question: str) -> bytes:
        """What is to be heard of a question. Raises: NotFound."""
        asked = self.exercise.question(question)
        path = audio_path(self.exercise, asked) if asked else ""
        place = self.documents.root / PurePosixPath(path)
        if not path or not place.is_file():
            raise NotFound(
                f"There is no recording of question `{question}`",
                hint="What is to be heard stands in the question where nobody can speak.",
            )
        return place.read_bytes()

    def code(self) -> Path:
        """The folder of a code exercise. Raises: BadInput."""
        if self.exercise.kind != "code" or self.exercise.file_path is None:
            raise BadInput("There is no code to run here", hint="Answer the exercise instead.")
        return self.documents.root / PurePosixPath(self.exercise.file_path)

    def _to_read(self) -> tuple[str, ...]:
        """Files of a code exercise beside those to write; no hidden ones, no solution."""
        path = self.exercise.file_path
        if self.exercise.kind != "code" or path is None:
            return ()
        shown = [
            name
            for name in self.exercise.files
            if not any(
                part.startswith((".", *_KEPT_BACK)) for part in PurePosixPath(name.lower()).parts
            )
        ]
        return tuple(f"{path}/{name}" for name in shown)

    def _opened(self, document: Document) -> StudyFile:
        shown, _ = _split(document.text)
        editable = document.path in self.editable
        return StudyFile(document.path, shown, document.version, editable)

    def _folder(self) -> Path:
        """Where uploads are. Raises: Refused when a link leads out of the teaching folder."""
        root = self.documents.root
        place = root / PurePosixPath(self.uploads)
        if not place.resolve().is_relative_to(root):
            raise Refused(f"`{self.uploads}` leads out of the folder")
        return place

    def _checked(self, name: str, data: bytes) -> str:
        """The ending of a file that can be kept. Raises: BadInput."""
        suffix = PurePosixPath(name).suffix.lower()
        match self.exercise.modality:
            case "image_review":
                kinds, most = PHOTOS, MOST_PHOTO
            case "audio":
                kinds, most = SOUNDS, MOST_SOUND
            case _:
                raise BadInput("This exercise takes no photo and no recording")
        if len(data) > most:
            raise too_large(most)
        if suffix not in kinds or not data:
            raise BadInput(
                f"`{name[:100]}` is nothing Paige can take here",
                hint=f"Send a file that ends in {', '.join(kinds[:4])}, with something in it.",
            )
        if self.exercise.modality == "image_review":
            _check_picture(name, data)
        return suffix


def too_large(most: int) -> BadInput:
    """The answer to a file that is too large."""
    return BadInput(f"The file has more than {most // 2**20} MiB", hint="Send a smaller one.")


def _check_picture(name: str, data: bytes) -> None:
    from PIL import Image  # noqa: PLC0415 - heavy, and only photos need it

    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.verify()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise BadInput(
            f"`{name[:100]}` is no picture Paige can read", hint="Save it as JPEG or PNG."
        ) from error


def _split(text: str) -> tuple[str, str]:
    """A worksheet without its answers, and the part with them; any other text is whole."""
    found = _KEY.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.start() :])


def _joined(text: str, stored: str) -> str:
    """What a learner wrote, with the answers that were cut off before."""
    _, key = _split(stored)
    if not key:
        return text
    shown, _ = _split(text)
    return f"{shown.rstrip()}\n\n{key}" if shown.rstrip() else f"\n{key}"


def _not_of_this(path: str) -> Refused:
    return Refused(
        f"`{path[:200]}` is no file of the open exercise",
        hint="Name one of its own files, or upload yours.",
    )
