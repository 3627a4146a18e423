"""Where sessions are kept: one file each, beside the session's log, written after every step.

A file is written only over the version it was made from, so that two programs that drive the same
session never write over each other. Its name does not end like that of a log: whoever reads the
folder for logs finds logs only. A state that cannot be read is told with its line and left alone;
the results of the session are safe in the log.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import count, islice

from pydantic import TypeAdapter, ValidationError

from paige.base.errors import BadInput, Conflict, NotFound
from paige.learner.files import LearnerFiles, read_kept
from paige.learner.json_files import BrokenFile, StudyProblem, read_object, write_object
from paige.store.documents import NEW, Documents
from paige.study.courses.catalogue import course_names
from paige.study.session.state import FORMAT, SessionState
from paige.study.values import SessionKind

ENDING = ".state"
_TRIES = 200
_LOOKED_AT = 8
"""So many of the newest states are looked at for one that is open."""


@dataclass(frozen=True, slots=True)
class StoredState:
    """A state as it was read or written."""

    state: SessionState
    path: str
    version: str


class Sessions:
    """The sessions of one learner in one course."""

    def __init__(self, documents: Documents, course: str, *, root: str = "learner") -> None:
        self._documents = documents
        self._folder = f"{root}/{course}/sessions"

    def path(self, session: str) -> str:
        """The file of a session."""
        return f"{self._folder}/{session}{ENDING}"

    def names(self) -> list[str]:
        """Every session of which the state is kept, newest first."""
        found = (path.rpartition("/")[2] for path in self._documents.paths(self._folder))
        states = (each for each in found if each.endswith(ENDING))
        return sorted((each.removesuffix(ENDING) for each in states), reverse=True)

    def open_one(
        self, kind: SessionKind | None = None
    ) -> tuple[StoredState | None, tuple[StudyProblem, ...]]:
        """The newest session (of a kind) that is not over, and states that cannot be read."""
        problems: list[StudyProblem] = []
        for name in self.names()[:_LOOKED_AT]:
            try:
                kept = self.read(name)
            except NotFound:
                continue
            except BrokenFile as error:
                problems.append(error.problem)
                continue
            ended = kept.state.is_over and kept.state.closed
            if not ended and kind in (None, kept.state.kind):
                return kept, tuple(problems)
        return None, tuple(problems)

    def read(self, session: str) -> StoredState:
        """One session. Raises: NotFound, BrokenFile."""
        path = self.path(session)
        try:
            document = read_kept(self._documents, path)
        except BadInput as error:
            hint = error.hint or _FIX
            raise BrokenFile(StudyProblem(path, 1, error.message, hint)) from error
        return StoredState(load_state(path, document.text), path, document.version)

    def create(self, make: Callable[[str], SessionState], wanted: str) -> StoredState:
        """Keep a new session under the wanted name, or the next one that is free."""
        for number in islice(count(1), _TRIES):
            name = wanted if number == 1 else f"{wanted}-{number}"
            state = make(name)
            try:
                written = self._documents.write(self.path(name), dump_state(state), base=NEW)
            except (Conflict, BadInput):  # taken, perhaps by something that is no text at all
                continue
            return StoredState(state, written.path, written.version)
        raise Conflict(f"No name is free for the session `{wanted}`")

    def save(self, kept: StoredState, state: SessionState) -> StoredState:
        """Keep a newer state. Raises: Conflict when somebody else went on meanwhile."""
        written = self._documents.write(kept.path, dump_state(state), base=kept.version)
        return StoredState(state, written.path, written.version)

    def remove(self, kept: StoredState) -> None:
        """Forget a state. Raises: Conflict when somebody else went on meanwhile."""
        self._documents.delete(kept.path, base=kept.version)


_FIX = "Delete the file to begin a new session; what was answered is in the log beside it."


def dump_state(state: SessionState) -> str:
    """The text of a state's file."""
    return write_object(_states().dump_python(state, mode="json"))


@lru_cache(maxsize=64)  # the same text says the same
def load_state(path: str, text: str) -> SessionState:
    """The state in a file. Raises: BrokenFile."""
    record = read_object(path, text)
    if record.get("format") != FORMAT:
        said = f"this session was written by another Paige (format {record.get('format')!r})"
        raise BrokenFile(StudyProblem(path, 1, said, _FIX))
    try:
        return _states().validate_python(record)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        line = _line(text, [str(part) for part in first["loc"]])
        said = f"`{place}` cannot be used: {first['msg']}"
        raise BrokenFile(StudyProblem(path, line, said, _FIX)) from error


def _line(text: str, names: list[str]) -> int:
    place = 0
    for name in names:
        found = text.find(f'"{name}"', place)
        place = found if found >= 0 else place
    return text.count("\n", 0, place) + 1


@cache
def _states() -> TypeAdapter[SessionState]:
    return TypeAdapter(SessionState)


def usual_course(documents: Documents, root: str) -> str:
    """The course of the newest session, else the only one. Raises: BadInput, NotFound."""
    known = course_names(documents)
    begun = [name for name in LearnerFiles(documents, root=root).courses() if name in known]
    newest = sorted(
        (session, name) for name in begun if (session := _newest(documents, root, name))
    )
    if newest:
        return newest[-1][1]
    if len(known) == 1:
        return known[0]
    if not known:
        raise NotFound("There is no course yet", hint="Begin one: `paige study new NAME`.")
    listed = ", ".join(f"`{name}`" for name in known)
    raise BadInput("Which course?", hint=f"Say `--course` and one of: {listed}.")


def _newest(documents: Documents, root: str, course: str) -> str:
    """The name of the newest session in a course; names begin with the time."""
    names = (path.rpartition("/")[2] for path in documents.paths(f"{root}/{course}/sessions"))
    plain = (name.removesuffix(".json").removesuffix(ENDING) for name in names)
    return max(plain, default="")
