"""The sample people look around with: the classes of Plan, the courses of Study, Coach's project.

Plan's workspace begins with the sample, and the courses of Study are always there. What is added
is only what is missing, nothing of a person's own is ever written over. What is removed is what
nobody has changed; the sample project is a copy made to be tried on, and goes as a whole.
"""

import shutil
from pathlib import Path

from paige.app.demo.installation import keep_old_sample
from paige.app.places import workspace, workspace_as_it_is
from paige.base.errors import BadInput, NotFound, PaigeError
from paige.base.files import make_private, write_error
from paige.base.modes import shut_tree
from paige.base.paths import shipped
from paige.base.settings import Settings
from paige.base.wire import wire
from paige.plan.workspace import MARKER
from paige.store.document_table import TableDocuments
from paige.store.documents import NEW, Documents, folder_of
from paige.study.courses.catalogue import course_names, load_course, shipped_documents

_IGNORED = ("__pycache__",)


@wire
class SampleCourse:
    """A course that comes with Paige."""

    name: str
    title: str


@wire
class SettingsSample:
    """What there is of the sample; `mixed`: the workspace never was the sample's.

    `files` of `all_files` lie in the workspace as they came; `changed` are the sample's files that
    the person made their own.
    """

    files: tuple[str, ...]
    all_files: int
    changed: tuple[str, ...]
    mixed: bool
    courses: tuple[SampleCourse, ...]
    project: str
    project_there: bool
    project_changed: tuple[str, ...]
    project_in_use: bool


def project_place(data_dir: Path) -> Path:
    """Where the copy of the sample project lies, if there is one."""
    return data_dir / "sample" / "project"


def sample_project(data_dir: Path) -> Path:
    """The person's copy of the sample project; what they changed in it stays."""
    keep_old_sample(data_dir)
    place = project_place(data_dir)
    if place.exists():
        return place
    half = place.with_name(".project-being-made")
    try:
        shutil.rmtree(half, ignore_errors=True)
        ignore = shutil.ignore_patterns(*_IGNORED)
        shutil.copytree(shipped("sample/project"), half, ignore=ignore)
        shut_tree(half)  # the copy has the rights of what was installed
        half.rename(place)
    except OSError as error:
        raise write_error(place, error) from error
    return place


def look_at_sample(settings: Settings) -> SettingsSample:
    """What there is of the sample now; nothing is made."""
    source = shipped("workspace")
    documents = workspace_as_it_is(settings)
    there, changed = _compare(source, documents)
    place = project_place(settings.data_dir)
    return SettingsSample(
        files=tuple(there),
        all_files=len(_files(source)),
        changed=tuple(changed),
        mixed=not _is_samples(documents),
        courses=tuple(_courses()),
        project=str(place),
        project_there=place.is_dir(),
        project_changed=tuple(_project_changes(place)),
        project_in_use=settings.project_dir == place,
    )


def add_sample(settings: Settings) -> SettingsSample:
    """Put back what is missing of the sample, and copy its project. Raises: Refused, Unavailable.

    A workspace that never was the sample's stays as it is.
    """
    make_private(settings.data_dir)
    documents = workspace(settings)
    if _is_samples(documents):
        _put_back(shipped("workspace"), documents)
    sample_project(settings.data_dir)
    return look_at_sample(settings)


def remove_sample(settings: Settings) -> SettingsSample:
    """Remove what nobody has changed, and the sample project. Raises: Refused, Unavailable."""
    documents = workspace_as_it_is(settings)
    if documents is not None and _is_samples(documents):
        for path in look_at_sample(settings).files:
            _remove(documents, path)
    place = project_place(settings.data_dir)
    if place.is_dir() and not place.is_symlink():
        try:
            shutil.rmtree(place)
        except OSError as error:
            raise write_error(place, error) from error
    return look_at_sample(settings)


def _put_back(source: Path, documents: Documents) -> None:
    folder = folder_of(documents)
    there = set(documents.paths())
    for path in _files(source):
        if path not in there and not (folder is not None and (folder / path).exists()):
            documents.write(path, (source / path).read_text(encoding="utf-8"), base=NEW)


def _remove(documents: Documents, path: str) -> None:
    try:
        documents.delete(path, base=documents.read(path).version)
    except NotFound:  # gone meanwhile
        return


def _is_samples(documents: Documents | None) -> bool:
    """Whether a workspace began with the sample; an empty one will."""
    if isinstance(documents, TableDocuments):
        return any(path in documents.known() for path in _files(shipped("workspace")))
    root = None if documents is None else folder_of(documents)
    return root is None or (root / MARKER).exists() or not any(root.iterdir())


def _compare(source: Path, documents: Documents | None) -> tuple[list[str], list[str]]:
    """The sample's files that are there as they came, and those that are there changed."""
    same: list[str] = []
    changed: list[str] = []
    for path in _files(source):
        match None if documents is None else _same_text(source / path, documents, path):
            case True:
                same.append(path)
            case False:
                changed.append(path)
            case None:
                pass
    return same, changed


def _same_text(original: Path, documents: Documents, path: str) -> bool | None:
    try:
        return documents.read(path).text == original.read_bytes().decode()
    except BadInput:  # it is no text any more
        return False
    except PaigeError:
        return None


def _same(original: Path, copy: Path) -> bool | None:
    try:
        return original.read_bytes() == copy.read_bytes()
    except OSError:
        return None


def _project_changes(place: Path) -> list[str]:
    """Files of the copy that the person changed or added."""
    if not place.is_dir():
        return []
    source = shipped("sample/project")
    return [path for path in _files(place) if not _same(source / path, place / path)]


def _files(folder: Path) -> list[str]:
    found = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(
        path.as_posix()
        for path in found
        if not any(part.startswith(".") or part in _IGNORED for part in path.parts)
    )


def _courses() -> list[SampleCourse]:
    theirs = shipped_documents()
    courses = [load_course(theirs, name) for name in course_names(theirs)]
    return [SampleCourse(course.name, course.title) for course in courses]
