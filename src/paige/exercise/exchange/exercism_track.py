"""An Exercism track as course data: its concepts, what comes before what, and its exercises.

A track is a folder with `config.json`, a folder of documents for each concept, and a folder for
each exercise. Concept exercises teach concepts, practice exercises use them. A concept's
prerequisites are those of the exercise that teaches it. Nothing of the track is run.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from paige.base.errors import BadInput, NotFound
from paige.base.wire import storable
from paige.exercise.code_folder import CodeFolder, read_code_folder

ExerciseKind = Literal["concept", "practice"]
MOST_BYTES = 4 * 2**20  # of one file of a track
_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]*")
_GIVEN_UP = "deprecated"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackConcept:
    """Something to be learned."""

    slug: str
    name: str
    blurb: str = ""
    introduction: str = ""
    about: str = ""
    links: tuple[tuple[str, str], ...] = ()
    prerequisites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackExercise:
    """An exercise. `folder` is where its files are, or nothing when the track lacks them."""

    slug: str
    name: str
    kind: ExerciseKind
    concepts: tuple[str, ...] = ()
    prerequisites: tuple[str, ...] = ()
    practices: tuple[str, ...] = ()
    difficulty: int | None = None
    status: str = "active"
    blurb: str = ""
    folder: Path | None = None

    @property
    def offered(self) -> bool:
        """Whether the track still has a use for it; one that is being written counts."""
        return self.status != _GIVEN_UP


@dataclass(frozen=True, slots=True, kw_only=True)
class Track:
    """A whole track."""

    slug: str
    language: str
    blurb: str
    concepts: tuple[TrackConcept, ...]
    exercises: tuple[TrackExercise, ...]
    remarks: tuple[str, ...] = ()


def read_track(folder: Path) -> Track:
    """The track in a folder. Raises: NotFound, BadInput naming the file and what is wrong in it."""
    path = folder / "config.json"
    if not path.is_file():
        raise NotFound(f"There is no `{path}`", hint="Give the folder of an Exercism track.")
    config = _object(_json(path), "config.json")
    listed = _object(config.get("exercises") or {}, "`exercises` of config.json")
    remarks: list[str] = []
    exercises = (
        *_exercises(folder, listed.get("concept"), "concept", remarks),
        *_exercises(folder, listed.get("practice"), "practice", remarks),
    )
    if not exercises:
        raise BadInput("config.json lists no exercises", hint="Give the folder of a whole track.")
    remarks += [
        f"No exercise teaches `{slug}`, which others need." for slug in _untaught(exercises)
    ]
    return Track(
        slug=_text(config.get("slug")) or folder.resolve().name,
        language=_text(config.get("language")) or _text(config.get("slug")) or folder.name,
        blurb=_text(config.get("blurb")),
        concepts=tuple(_concepts(folder, config.get("concepts"), exercises, remarks)),
        exercises=exercises,
        remarks=tuple(remarks),
    )


def _untaught(exercises: Iterable[TrackExercise]) -> list[str]:
    """Concepts that an offered exercise needs and no offered exercise teaches."""
    offered = [each for each in exercises if each.offered]
    taught = {concept for each in offered for concept in each.concepts}
    needed = {concept for each in offered for concept in each.prerequisites}
    return sorted(needed - taught)


def code_of(exercise: TrackExercise) -> CodeFolder:
    """The files of an exercise: what to write, what tests it. Raises: NotFound, BadInput."""
    if exercise.folder is None:
        raise NotFound(f"The track has no folder for the exercise `{exercise.slug}`")
    return read_code_folder(exercise.folder)


def _exercises(
    folder: Path, listed: object, kind: ExerciseKind, remarks: list[str]
) -> Iterator[TrackExercise]:
    seen: set[str] = set()
    for place, entry in enumerate(_list(listed, f"`exercises.{kind}`"), 1):
        fields = _object(entry, f"Entry {place} of `exercises.{kind}`")
        slug = _slug(fields.get("slug"), f"Entry {place} of `exercises.{kind}`")
        if slug in seen:
            remarks.append(f"The exercise `{slug}` is listed twice; the first is used.")
            continue
        seen.add(slug)
        own = _inside(folder, "exercises", kind, slug)
        if own is None:
            remarks.append(f"The exercise `{slug}` has no folder.")
        difficulty = fields.get("difficulty")
        yield TrackExercise(
            slug=slug,
            name=_text(fields.get("name")) or slug.replace("-", " ").title(),
            kind=kind,
            concepts=_slugs(fields.get("concepts"), slug),
            prerequisites=_slugs(fields.get("prerequisites"), slug),
            practices=_slugs(fields.get("practices"), slug),
            difficulty=difficulty if isinstance(difficulty, int) else None,
            status=_text(fields.get("status")) or "active",
            blurb=_blurb(own, remarks) if own is not None else "",
            folder=own,
        )


def _concepts(
    folder: Path, listed: object, exercises: Sequence[TrackExercise], remarks: list[str]
) -> Iterator[TrackConcept]:
    """Concepts the track lists, then those that only exercises mention."""
    names: dict[str, Mapping[str, object]] = {}
    for place, entry in enumerate(_list(listed, "`concepts`"), 1):
        fields = _object(entry, f"Entry {place} of `concepts`")
        names.setdefault(_slug(fields.get("slug"), f"Entry {place} of `concepts`"), fields)
    for each in exercises:
        for slug in (*each.concepts, *each.prerequisites, *each.practices):
            names.setdefault(slug, {})
    for slug, fields in names.items():
        teaching = [each for each in exercises if slug in each.concepts]
        documents = _inside(folder, "concepts", slug)
        needed = dict.fromkeys(need for each in teaching for need in each.prerequisites)
        yield TrackConcept(
            slug=slug,
            name=_text(fields.get("name")) or slug.replace("-", " ").title(),
            blurb=_blurb(documents, remarks) if documents else "",
            introduction=_document(documents, "introduction.md", remarks),
            about=_document(documents, "about.md", remarks),
            links=tuple(_links(documents, remarks)),
            prerequisites=tuple(need for need in needed if need != slug),
        )


def _inside(folder: Path, *names: str) -> Path | None:
    """A folder of the track; a link that leads out of it is as good as none."""
    path = folder.joinpath(*names)
    root = folder.resolve()
    return path if path.is_dir() and path.resolve().is_relative_to(root) else None


def _blurb(folder: Path, remarks: list[str]) -> str:
    path = folder / ".meta" / "config.json"
    if not _readable(path, folder):
        return ""
    try:
        return _text(_object(_json(path), str(path)).get("blurb"))
    except BadInput as error:
        remarks.append(error.message)
        return ""


def _links(folder: Path | None, remarks: list[str]) -> Iterator[tuple[str, str]]:
    """What to read further: its words and its address."""
    path = folder / "links.json" if folder else None
    if folder is None or path is None or not _readable(path, folder):
        return
    try:
        listed = _list(_json(path), str(path))
    except BadInput as error:
        remarks.append(error.message)
        return
    for entry in listed:
        url = _text(entry.get("url")) if isinstance(entry, dict) else ""
        if isinstance(entry, dict) and url.startswith(("https://", "http://")):
            yield _text(entry.get("description")) or url, url


def _document(folder: Path | None, name: str, remarks: list[str]) -> str:
    if folder is None or not _readable(folder / name, folder):
        return ""
    try:
        return _read(folder / name).strip()
    except BadInput as error:
        remarks.append(error.message)
        return ""


def _readable(path: Path, folder: Path) -> bool:
    return path.is_file() and path.resolve().is_relative_to(folder.resolve())


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"`{path}` is larger than {MOST_BYTES // 2**20} MB")
        return storable(path.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        raise BadInput(f"`{path}` is not UTF-8 text", hint="Save the file as UTF-8.") from None
    except OSError as error:
        raise BadInput(f"`{path}` cannot be read: {error.strerror or error}") from error


def _json(path: Path) -> object:
    try:
        return json.loads(_read(path))
    except json.JSONDecodeError as error:
        raise BadInput(f"`{path}` is not JSON: line {error.lineno}, {error.msg}") from None
    except RecursionError:
        raise BadInput(f"`{path}` is nested too deeply") from None


def _object(value: object, where: str) -> Mapping[str, object]:
    if isinstance(value, dict):
        return value
    raise BadInput(f"{where} should be an object of JSON")


def _list(value: object, where: str) -> list[object]:
    if value is None:
        return []
    if isinstance(value, list):
        return value
    raise BadInput(f"{where} should be a list")


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _slug(value: object, where: str) -> str:
    """A slug is also the name of a folder, so it may be nothing but a name."""
    if isinstance(value, str) and _SLUG.fullmatch(value):
        return value
    raise BadInput(f"{where} has no proper slug: `{value}`")


def _slugs(value: object, exercise: str) -> tuple[str, ...]:
    listed = _list(value, f"A list of concepts of `{exercise}`")
    return tuple(dict.fromkeys(_slug(each, f"The exercise `{exercise}`") for each in listed))
