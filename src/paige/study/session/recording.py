"""Writing a result down exactly once, however often it is tried.

A result is recorded under a name that is known before it is judged. Whoever was killed after
recording and before noting that finds the record by its name; two programs that judge the same
answer at the same time write one record, because the log is written only over the version that was
looked at.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime

from paige.base.errors import NotFound
from paige.exercise.result import Result
from paige.learner.files import LearnerFiles
from paige.learner.json_files import BrokenFile, FileProblem
from paige.learner.progress import Evidence, Progress, Thresholds
from paige.learner.session_logs import read_log
from paige.store.documents import Document, Documents


@dataclass(frozen=True, slots=True)
class Recording:
    """A result that is in the log, what it moved, and files that need a hand."""

    result: Result
    progress: Progress
    evidence: Evidence | None
    problems: tuple[FileProblem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Logbook:
    """Where the results of one learner in one course go."""

    documents: Documents
    course: str
    thresholds: Thresholds
    root: str = "learner"

    @property
    def files(self) -> LearnerFiles:
        """The learner's files."""
        return LearnerFiles(self.documents, self.thresholds, root=self.root)

    def find(self, session: str, change_id: str) -> Recording | None:
        """The result of that name, if it is in the session's log already."""
        result = self._logged(session, change_id)
        if result is None:
            return None
        files = self.files
        state = files.read(self.course)
        progress = state.progress.get(result.concept_id, Progress(concept_id=result.concept_id))
        evidence = files.evidence(self.course).get(change_id)
        return Recording(result, progress, evidence, state.problems)

    def record(self, result: Result, *, session: str, change_id: str, now: datetime) -> Recording:
        """Write a result down, unless it is there already."""
        guarded = _Once(self.documents, change_id)
        files = LearnerFiles(guarded, self.thresholds, root=self.root)
        try:
            made = files.record(self.course, result, session=session, change_id=change_id, now=now)
        except _There as error:
            found = self.find(session, change_id)
            if found is None:  # it stands in a log of another name
                raise NotFound(f"`{change_id}` was recorded and is gone again") from error
            return found
        return Recording(made.change.result or result, made.progress, made.evidence, made.problems)

    def _logged(self, session: str, change_id: str) -> Result | None:
        below = f"{self.root}/{self.course}/sessions"
        for path in self.documents.paths(below):
            name = path.rpartition("/")[2]
            if not (name.startswith(session) and name.endswith(".json")):
                continue
            try:
                log = read_log(path, self.documents.read(path).text)
            except (BrokenFile, NotFound):
                continue
            for change in log.changes:
                if change.id == change_id and change.result is not None:
                    return change.result
        return None


class _There(Exception):
    """The log that is written has the record already."""


class _Once:
    """Documents in which a log that has a record already is not written with it once more."""

    def __init__(self, documents: Documents, change_id: str) -> None:
        self._documents = documents
        self._change_id = change_id

    def paths(self, below: str = "") -> list[str]:
        """As the documents have them."""
        return self._documents.paths(below)

    def read(self, path: str) -> Document:
        """As the documents have it."""
        return self._documents.read(path)

    def write(self, path: str, text: str, *, base: str) -> Document:
        """Write, unless `base` has the record. Raises: Conflict as the documents do."""
        if base and "/sessions/" in path and self._has(path, base):
            raise _There
        return self._documents.write(path, text, base=base)

    def delete(self, path: str, *, base: str) -> None:
        """As the documents do it."""
        self._documents.delete(path, base=base)

    def watch(self) -> AsyncIterator[set[str]]:
        """As the documents do it."""
        return self._documents.watch()

    def _has(self, path: str, base: str) -> bool:
        """Whether that version has the record; another version is a conflict for the writing."""
        try:
            document = self._documents.read(path)
            if document.version != base:
                return False
            return any(each.id == self._change_id for each in read_log(path, document.text).changes)
        except (BrokenFile, NotFound):
            return False
