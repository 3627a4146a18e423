"""A teacher's workspace: the sample it begins with, its classes, and what of it a request needs.

`soul.md`, `teacher.md` and `pedagogy.md` are in every prompt. The profile of a class and the
curriculum files it works with are brought along when a request is about that class; everything else
is read by the agent when it needs it.
"""

import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paige.agent.library.prompt import WorkspaceFile
from paige.agent.memories import Request
from paige.base.errors import Conflict, NotFound, PaigeError
from paige.base.files import write_atomic
from paige.base.platform import locked
from paige.base.tokens import count_tokens_bound
from paige.memory.documents.records import FOLDER as MEMORY
from paige.plan.classes import FOLDER as CLASSES
from paige.plan.classes import ClassProfile, class_path, read_class, unreadable_class
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.values import Curriculum, Library
from paige.store.documents import NEW, DirectoryDocuments, Document, Documents

FEWEST_TOKENS = 6_000
"""A curriculum file that takes more of a prompt is shown for the class's level only."""
MARKER = ".sample"
TEACHER_FILES = ("teacher.md", "pedagogy.md")
_LEVEL = re.compile(r"##(?!#)\s+(?P<title>.*\S)")
_NUMBERED = (
    "Each line begins with its number. To cite an outcome, with its own line and words:\n"
    '`[CODE]({path}#L12-L12) "words of that line"`'
)


@dataclass(frozen=True, slots=True)
class Classes:
    """Every class of a workspace, by its id in the order of the folder."""

    profiles: tuple[ClassProfile, ...] = ()

    def find(self, class_id: str | None) -> ClassProfile | None:
        """One class by its id, however it is written; nothing when there is none."""
        wanted = (class_id or "").strip().casefold()
        return next((each for each in self.profiles if each.id.casefold() == wanted), None)

    def get(self, class_id: str) -> ClassProfile:
        """One class by its id. Raises: NotFound naming those there are."""
        found = self.find(class_id)
        if found is None:
            names = ", ".join(each.id for each in self.profiles)
            raise NotFound(
                f"There is no class `{class_id.strip()[:60]}`",
                hint=f"There are: {names}." if names else "Write a profile: `classes/3B.md`.",
            )
        return found


def open_workspace(root: Path, sample: Path) -> DirectoryDocuments:
    """The documents of a workspace; one that is used for the first time gets the sample.

    Nothing is ever written over something. A copy that was cut off is finished by the next use; a
    file that a person removed later stays away.
    """
    documents = DirectoryDocuments(root)
    marker = documents.root / MARKER
    if marker.exists() and marker.read_text("utf-8", "replace").strip() == "copied":
        return documents
    # Whoever copies sets the marker first: without it, what is here is the person's own.
    own = (path for path in documents.paths() if not path.startswith(f"{MEMORY}/"))
    if any(own) and not marker.exists():
        return documents
    with locked(documents.root / f"{MARKER}.lock"):
        if not marker.exists():
            write_atomic(marker, "copying\n")
        if marker.read_text("utf-8", "replace").strip() != "copied":
            _copy(sample, documents)
            write_atomic(marker, "copied\n")
    return documents


@dataclass(frozen=True, slots=True)
class PromptWorkspace:
    """A workspace for prompts: a page about the teacher that is not there is an empty one."""

    documents: Documents

    def paths(self, below: str = "") -> list[str]:
        """Every document below a folder, sorted."""
        return self.documents.paths(below)

    def read(self, path: str) -> Document:
        """One document. Raises: NotFound, but not for what the teacher may leave away."""
        try:
            return self.documents.read(path)
        except NotFound:
            if path in TEACHER_FILES:
                return Document(path, "", NEW)
            raise

    def write(self, path: str, text: str, *, base: str) -> Document:
        """Store a text made from version `base`. Raises: Conflict."""
        return self.documents.write(path, text, base=base)

    def delete(self, path: str, *, base: str) -> None:
        """Remove a document of version `base`. Raises: Conflict."""
        self.documents.delete(path, base=base)

    def watch(self) -> AsyncIterator[set[str]]:
        """The paths that changed, in batches, until cancelled."""
        return self.documents.watch()


def read_classes(documents: Documents) -> Classes:
    """The profiles of all classes; of a file that is no text only the name, and what is wrong."""
    profiles: list[ClassProfile] = []
    for path in documents.paths(CLASSES):
        if path.count("/") == 1 and path.endswith(".md"):
            try:
                profiles.append(read_class(documents.read(path).text, path))
            except NotFound:  # gone meanwhile
                continue
            except PaigeError as error:
                profiles.append(unreadable_class(path, error))
    return Classes(tuple(profiles))


def find_class(documents: Documents, class_id: str | None) -> ClassProfile | None:
    """One class as its file is now, or nothing."""
    if not class_id:
        return None
    try:
        path = class_path(class_id)
        return read_class(documents.read(path).text, path)
    except PaigeError:  # another case, or a name no file can have
        return read_classes(documents).find(class_id)


def profile_text(documents: Documents, profile: ClassProfile | None) -> str:
    """What stands in the file of a class; nothing when there is none, or it is no text."""
    if profile is None:
        return ""
    try:
        return documents.read(profile.path).text
    except PaigeError:  # its problems say so, and the teacher reads them first
        return ""


def brought_along(
    documents: Documents, class_id: str | None
) -> Callable[[Request], Sequence[WorkspaceFile]]:
    """What of the workspace a request brings into the prompt, read when the prompt is made."""

    def files(request: Request) -> list[WorkspaceFile]:
        profile = find_class(documents, class_id)
        library = load_all(documents)
        chosen = curricula_for(library, profile, request.text)
        text = profile_text(documents, profile)
        own = [WorkspaceFile(profile.path, text)] if profile and text else []
        return [*own, *(_numbered(each, profile) for each in chosen)]

    return files


def curricula_for(
    library: Library, profile: ClassProfile | None, text: str = ""
) -> tuple[Curriculum, ...]:
    """The curriculum files of a class, or those of them that the text names.

    Without a class, those of a subject that the text names.
    """
    words = text.casefold()
    if profile is None:
        return tuple(each for each in library.curricula if _is_named(each, words))
    own = [each for each in library.curricula if each.name in profile.curriculum]
    if not own:
        subjects = (profile.subject, *profile.also)
        own = [each for each in library.curricula if any(_same(each, name) for name in subjects)]
    named = [each for each in own if _is_named(each, words)]
    return tuple(named or own)


def missing_curricula(library: Library, profile: ClassProfile) -> tuple[str, ...]:
    """Curriculum files that a profile names and the workspace has not."""
    known = {each.name for each in library.curricula}
    return tuple(name for name in profile.curriculum if name not in known)


def _numbered(curriculum: Curriculum, profile: ClassProfile | None) -> WorkspaceFile:
    """A curriculum file as a prompt shows it: with the numbers that a citation needs."""
    lines = list(enumerate(curriculum.lines, 1))
    shown = _joined(lines)
    if count_tokens_bound(shown) > FEWEST_TOKENS and profile is not None and profile.level:
        shown = _joined(_of_level(lines, profile.level)) or shown
    head = _NUMBERED.format(path=curriculum.path)
    return WorkspaceFile(curriculum.path, f"{head}\n\n{shown}")


def _joined(lines: Sequence[tuple[int, str]]) -> str:
    return "\n".join(f"{number:>4}  {line}".rstrip() for number, line in lines if line.strip())


def _of_level(lines: Sequence[tuple[int, str]], level: str) -> list[tuple[int, str]]:
    """The lines of one level, with whatever stands above all levels."""
    kept: list[tuple[int, str]] = []
    here, found = True, False
    for number, line in lines:
        if heading := _LEVEL.match(line):
            here = level.casefold() in heading["title"].casefold()
            found |= here
        if here:
            kept.append((number, line))
    return kept if found else []


def _same(curriculum: Curriculum, subject: str) -> bool:
    names = (curriculum.subject, *curriculum.also)
    return bool(subject) and subject.casefold() in (name.casefold() for name in names)


def _is_named(curriculum: Curriculum, words: str) -> bool:
    names = (curriculum.name, curriculum.subject, *curriculum.also)
    return any(
        re.search(rf"(?<!\w){re.escape(name.casefold())}(?!\w)", words) for name in names if name
    )


def is_memory(path: str) -> bool:
    """Whether a path of the workspace is a memory document."""
    # Whatever its case: some file systems take both for the same folder.
    return path.partition("/")[0].casefold() == MEMORY


def _copy(sample: Path, documents: Documents) -> None:
    for file in sorted(path for path in sample.rglob("*") if path.is_file()):
        path = file.relative_to(sample).as_posix()
        if any(part.startswith(".") for part in path.split("/")):
            continue
        try:
            documents.write(path, file.read_text("utf-8"), base=NEW)
        except Conflict:  # it is there already: ours from before, or the person's own
            continue
