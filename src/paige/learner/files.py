"""The learner's folder: profile, progress by course, and the logs of what was done.

The session logs are the truth. `progress.json` is made from them and says from which, so it can be
thrown away, and whoever finds it older than the logs works it out again. Every write names the
version it was made from; when somebody else wrote meanwhile, the change is made once more on what
they wrote. So two programs can study in the same course and no result is lost. What stands in
`progress.json` for a concept that no log knows came from elsewhere: there that concept starts.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple, TypeVar

from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.file_cache import FileCache
from paige.exercise.result import Result
from paige.learner.cards import dump_moment, load_moment
from paige.learner.changes import Change, FoldedChanges, fold, load_of, order_of, undo
from paige.learner.json_files import (
    BrokenFile,
    StudyProblem,
    field_problem,
    read_object,
    write_object,
)
from paige.learner.profile import Profile, detect, dump_profile, load_profile
from paige.learner.progress import AppliedResult, Evidence, Progress, Thresholds, apply
from paige.learner.progress_json import (
    TOP,
    KnownCourse,
    dump_progress,
    entries_of,
    is_sealed,
    load_entries,
    load_progress,
    read_known,
    read_sealed,
    render,
    with_extras,
)
from paige.learner.session_logs import (
    SessionLog,
    change_of,
    changes_of,
    new_log,
    read_log,
    with_result,
    with_undo,
)
from paige.store.documents import NEW, DirectoryDocuments, Document, Documents

T = TypeVar("T")
_TRIES = 200
_kept_documents: FileCache[Document] = FileCache(1000)
_NAME = re.compile(r"[^\W_][\w.-]{0,99}")


@dataclass(frozen=True, slots=True)
class CourseState:
    """What is known of a course, and files that need a hand."""

    course: str
    progress: Mapping[str, Progress]
    problems: tuple[StudyProblem, ...]


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """A result that is in a log, what it moved, and files that need a hand."""

    result: Result
    progress: Progress
    evidence: Evidence | None
    problems: tuple[StudyProblem, ...] = ()


class _CourseLogs(NamedTuple):
    """The logs of a course that could be read; `whole` says none is missing."""

    logs: list[SessionLog]
    problems: tuple[StudyProblem, ...]
    whole: bool


class _LogChange(NamedTuple):
    """A log before and after something was written to it."""

    before: Document
    after: Document


class _New(NamedTuple):
    """A change that has just come in, and the log it went to."""

    change: Change
    log: _LogChange


_Outcome = tuple[AppliedResult | None, tuple[StudyProblem, ...]]


class LearnerFiles:
    """The files of one learner, below `root` of a folder of documents."""

    def __init__(
        self,
        documents: Documents,
        thresholds: Thresholds | None = None,
        *,
        root: str = "learner",
    ) -> None:
        self._documents = documents
        self._thresholds = thresholds or Thresholds()
        self._root = root

    def courses(self) -> list[str]:
        """Courses that were begun, sorted."""
        below = f"{self._root}/"
        parts = [path.removeprefix(below).split("/") for path in self._documents.paths(self._root)]
        return sorted({each[0] for each in parts if len(each) > 1})

    def profile(self) -> Profile:
        """The learner's profile; the usual one when there is none. Raises: BrokenFile."""
        return _read_profile(_read(self._documents, self._profile_path()))

    def update_profile(self, change: Callable[[Profile], Profile]) -> Profile:
        """Change the profile; `change` may be called again on a newer one. Raises: BrokenFile."""
        path = self._profile_path()

        def attempt() -> Profile:
            document = _read(self._documents, path)
            changed = change(_read_profile(document))
            text = write_object(dump_profile(changed))
            if text != document.text:
                self._documents.write(path, text, base=document.version)
            return changed

        return _insist(attempt)

    def note_modalities(self) -> Profile:
        """Write into the profile what the results of all courses say. Raises: BrokenFile."""
        found = detect(
            each for course in self.courses() for each in self.read(course).progress.values()
        )

        def changed(profile: Profile) -> Profile:
            kept = replace(found, extra=profile.auto_detected.extra)
            return replace(profile, auto_detected=kept)

        return self.update_profile(changed)

    def read(self, course: str) -> CourseState:
        """What is known of a course: what is stored, if the logs have not gone on since."""
        stored, problem = self._stored(course)
        texts, unreadable = self._texts(course)
        if not unreadable and is_sealed(stored, self._stamp(texts)):
            return CourseState(course, load_entries(read_sealed(stored), "concepts"), ())
        found = _parse(texts, unreadable)
        known, problem = _known(stored, problem)
        progress = self._worked_out(known, changes_of(found.logs)).progress
        kept = {name: _kept(each, known) for name, each in progress.items()}
        if not found.whole:
            # Better what was known before than a fold that lacks what a broken log says.
            kept = {**kept, **known.concepts}
        return CourseState(course, kept, (*found.problems, *([problem] if problem else ())))

    def changes(self, course: str) -> tuple[Change, ...]:
        """Everything that was ever recorded or taken back in a course."""
        return tuple(changes_of(_parse(*self._texts(course)).logs))

    def evidence(self, course: str) -> dict[str, Evidence]:
        """Why what is known is known: the evidence of every change that counts."""
        known, _ = _known(*self._stored(course))
        return self._worked_out(known, list(self.changes(course))).evidence

    def record(
        self, course: str, result: Result, *, session: str, change_id: str, now: datetime
    ) -> RecordedResult:
        """Write a result to the log of a session, then bring `progress.json` up to it.

        A log that has a change of this name already stays as it is, so that whoever was stopped in
        between, and two programs at once, record a result once. The result is safe before anything
        else is looked at: when `progress.json` cannot be read, that is a problem to tell, not a
        reason to fail.
        """
        change = change_of(result, change_id=change_id, now=now)
        log = self._append(
            course, session, now, lambda log: with_result(log, change), unless=change_id
        )
        if log is None:
            known = self.recorded(course, session=session, change_id=change_id)
            if known is None:  # it stands in a log of another name
                raise NotFound(f"`{change_id}` was recorded and is gone again")
            return known
        applied, problems = self._refresh(course, now, _New(change, log))
        if applied is None:  # somebody removed or broke the log at once
            raise Conflict(f"`{log.after.path}` was changed by someone else meanwhile")
        return RecordedResult(change.result or result, applied.progress, applied.evidence, problems)

    def recorded(self, course: str, *, session: str, change_id: str) -> RecordedResult | None:
        """The result of that name, if it is in a log of the session."""
        result = self._logged(course, session, change_id)
        if result is None:
            return None
        state = self.read(course)
        progress = state.progress.get(result.concept_id, Progress(concept_id=result.concept_id))
        evidence = self.evidence(course).get(change_id)
        return RecordedResult(result, progress, evidence, state.problems)

    def _logged(self, course: str, session: str, change_id: str) -> Result | None:
        for path in self._documents.paths(f"{self._folder(course)}/sessions"):
            name = path.rpartition("/")[2]
            if name.startswith(session) and name.endswith(".json"):
                with suppress(BrokenFile, NotFound):
                    for change in read_log(path, read_kept(self._documents, path).text).changes:
                        if change.id == change_id and change.result is not None:
                            return change.result
        return None

    def undo(
        self, course: str, change_id: str, *, new_id: str, now: datetime, reason: str = ""
    ) -> CourseState:
        """Take a change back and work everything out again. Raises: NotFound, Conflict."""
        logs = _parse(*self._texts(course)).logs
        changes = undo(changes_of(logs), change_id, now=now, new_id=new_id, reason=reason)
        holder = next(log for log in logs if any(each.id == change_id for each in log.changes))
        session = holder.path.rpartition("/")[2].removesuffix(".json")
        self._append(course, session, now, lambda log: with_undo(log, changes[-1]))
        return self.rebuild(course, now=now)

    def end_session(self, course: str, session: str, *, now: datetime) -> None:
        """Note in a log when the session ended."""
        self._append(course, session, now, lambda log: {**log, "ended": dump_moment(now)})
        self._refresh(course, now, None)

    def rebuild(self, course: str, *, now: datetime) -> CourseState:
        """Make `progress.json` again from the logs."""
        self._refresh(course, now, None)
        return self.read(course)

    def _append(
        self,
        course: str,
        session: str,
        now: datetime,
        change: Callable[[Mapping[str, object]], dict[str, object]],
        *,
        unless: str = "",
    ) -> _LogChange | None:
        """Change the log of a session; next to a log that is broken a new one begins.

        Nothing when the log has a change called `unless`.
        """
        name = _checked(session, "session")

        def attempt() -> _LogChange | None:
            for number in range(1, _TRIES):
                suffix = "" if number == 1 else f"-{number}"
                path = f"{self._folder(course)}/sessions/{name}{suffix}.json"
                try:
                    document = _read(self._documents, path)
                    log = read_log(path, document.text) if document.version else None
                except BadInput:
                    continue
                if log is not None and any(each.id == unless for each in log.changes):
                    return None
                text = write_object(change(new_log(course, now) if log is None else log.record))
                after = self._documents.write(path, text, base=document.version)
                return _LogChange(document, after)
            raise BadInput(f"Every log of the session `{session}` is broken")

        return _insist(attempt)

    def _refresh(self, course: str, now: datetime, new: _New | None) -> _Outcome:
        """Bring `progress.json` up to the logs, and say what stands in the way."""

        def attempt() -> _Outcome:
            # In this order: whoever writes after us has seen our log, or meets our version.
            stored, problem = self._stored(course)
            texts, unreadable = self._texts(course)
            if new and not unreadable and problem is None:
                done = self._step(stored, texts, new, now)
                if done is not None:
                    return done, ()
            known, problem = _known(stored, problem)
            found = _parse(texts, unreadable)
            changes = changes_of(found.logs)
            if problem is not None:
                folded = self._worked_out(known, changes)
                return _applied(folded, new), (*found.problems, problem)
            if found.whole:
                folded = self._worked_out(known, changes)
            elif new is not None:
                folded = self._one_more({**known.imported, **known.concepts}, new.change)
            else:
                return None, found.problems
            record = self._record(course, known, folded.progress, changes, now)
            # With a problem there is no seal, so that it is looked at until it is gone.
            stamp = None if found.problems else self._stamp(texts)
            too_large = self._write(stored, record, stamp)
            return _applied(folded, new), (*found.problems, *too_large)

        return _insist(attempt)

    def _step(
        self, stored: Document, texts: list[Document], new: _New, now: datetime
    ) -> AppliedResult | None:
        """Write one more result, if everything else is in `progress.json` already."""
        others = [each for each in texts if each.path != new.log.after.path]
        before = [*others, new.log.before] if new.log.before.version else others
        unchanged = len(others) < len(texts) and new.log.after in texts
        if not unchanged or not is_sealed(stored, self._stamp(before)):
            return None
        record = read_sealed(stored)
        at = order_of(new.change)[0]
        last = record.get("last_result_at")
        if last is not None and load_moment(last, "last_result_at") >= at:
            return None
        assert new.change.result is not None
        name = new.change.result.concept_id
        entries = entries_of(record, "concepts")
        if self._thresholds.scheduling.balance:  # only then the others matter
            known = load_entries(record, "concepts")
        else:
            known = {name: load_progress(name, entries[name])} if name in entries else {}
        folded = self._one_more(known, new.change)
        changed = {
            **record,
            "updated": dump_moment(now),
            "made_from": "",
            "last_result_at": dump_moment(at),
            "concepts": {**entries, name: dump_progress(folded.progress[name])},
        }
        too_large = self._write(stored, changed, self._stamp(texts))
        return None if too_large else _applied(folded, new)

    def _write(
        self, stored: Document, record: Mapping[str, object], stamp: str | None
    ) -> tuple[StudyProblem, ...]:
        try:
            text = render({**record, "made_from": None if stamp is None else ""}, stamp)
            self._documents.write(stored.path, text, base=stored.version)
        except BadInput as error:
            return (StudyProblem(stored.path, 1, error.message, "Split the course in two."),)
        return ()

    def _one_more(self, known: Mapping[str, Progress], change: Change) -> FoldedChanges:
        assert change.result is not None
        name = change.result.concept_id
        before = known.get(name, Progress(concept_id=name))
        load = load_of(known.values(), self._thresholds)
        after, evidence = apply(before, change.result, change.at, self._thresholds, load)
        return FoldedChanges({**known, name: after}, {change.id: evidence})

    def _worked_out(self, known: KnownCourse, changes: list[Change]) -> FoldedChanges:
        return fold(changes, self._thresholds, _start(known, changes))

    def _record(
        self,
        course: str,
        known: KnownCourse,
        progress: Mapping[str, Progress],
        changes: list[Change],
        now: datetime,
    ) -> dict[str, object]:
        """What `progress.json` should hold; what others put there stays."""
        last = max((order_of(each)[0] for each in changes if each.result), default=None)
        imported = _dump(_start(known, changes))
        return {
            "course": course,
            "updated": dump_moment(now),
            "made_from": None,
            "last_result_at": None if last is None else dump_moment(last),
            "concepts": _dump({name: _kept(each, known) for name, each in progress.items()}),
            **({"imported": imported} if imported else {}),
            **{name: each for name, each in known.record.items() if name not in TOP},
        }

    def _stored(self, course: str) -> tuple[Document, StudyProblem | None]:
        path = f"{self._folder(course)}/progress.json"
        try:
            return _read(self._documents, path), None
        except BadInput as error:  # not text at all
            return Document(path, "", NEW), _problem_of(path, error)

    def _texts(self, course: str) -> tuple[list[Document], tuple[StudyProblem, ...]]:
        """The logs of a course as they are, and those that are no text."""
        texts: list[Document] = []
        problems: list[StudyProblem] = []
        for path in self._documents.paths(f"{self._folder(course)}/sessions"):
            if not path.endswith(".json"):
                continue
            try:
                texts.append(read_kept(self._documents, path))
            except NotFound:  # deleted since it was listed
                continue
            except BadInput as error:
                problems.append(_problem_of(path, error))
        return texts, tuple(problems)

    def _stamp(self, texts: list[Document]) -> str:
        """What progress is made from: the logs, and the rules by which they count."""
        versions = sorted((each.path, each.version) for each in texts)
        rules = repr(self._thresholds)
        return hashlib.sha256(json.dumps([versions, rules]).encode()).hexdigest()

    def _folder(self, course: str) -> str:
        return f"{self._root}/{_checked(course, 'course')}"

    def _profile_path(self) -> str:
        return f"{self._root}/profile.json"


def _checked(name: str, what: str) -> str:
    if _NAME.fullmatch(name):
        return name
    raise BadInput(
        f"`{name}` cannot be the name of a {what}", hint="Use letters, digits, dots and dashes."
    )


def read_kept(documents: Documents, path: str) -> Document:
    """A document; one that was read before is read again only once its file has changed.

    Raises: NotFound, BadInput.
    """
    read = partial(documents.read, path)
    if not isinstance(documents, DirectoryDocuments):
        return read()
    return _kept_documents.get((documents.root, path), [documents.root / path], read)


def _read(documents: Documents, path: str) -> Document:
    try:
        return read_kept(documents, path)
    except NotFound:
        return Document(path, "", NEW)


def _read_profile(document: Document) -> Profile:
    if not document.version:
        return Profile()
    record = read_object(document.path, document.text)
    try:
        return load_profile(record)
    except BadInput as error:
        raise BrokenFile(field_problem(document.path, document.text, (), error)) from error


def _parse(texts: list[Document], unreadable: tuple[StudyProblem, ...]) -> _CourseLogs:
    logs: list[SessionLog] = []
    problems = list(unreadable)
    whole = not unreadable
    for each in texts:
        try:
            log = read_log(each.path, each.text)
        except BrokenFile as error:
            problems.append(error.problem)
            whole = False
            continue
        logs.append(log)
        problems += log.problems
    return _CourseLogs(logs, tuple(problems), whole)


def _known(
    stored: Document, problem: StudyProblem | None
) -> tuple[KnownCourse, StudyProblem | None]:
    """What `progress.json` holds; nothing when it cannot be read."""
    nothing = KnownCourse({}, {}, {})
    if problem is not None:
        return nothing, problem
    try:
        return read_known(stored), None
    except BrokenFile as error:
        return nothing, error.problem


def _start(known: KnownCourse, changes: list[Change]) -> dict[str, Progress]:
    """Where concepts begin that somebody brought along from elsewhere."""
    logged = {each.result.concept_id for each in changes if each.result is not None}
    brought = {name: each for name, each in known.concepts.items() if name not in logged}
    return {**brought, **known.imported}


def _kept(progress: Progress, known: KnownCourse) -> Progress:
    """Progress with what others had written beside it in the file."""
    earlier = known.earlier(progress.concept_id)
    return with_extras(progress, earlier) if earlier else progress


def _dump(progress: Mapping[str, Progress]) -> dict[str, dict[str, object]]:
    return {name: dump_progress(each) for name, each in progress.items()}


def _applied(folded: FoldedChanges, new: _New | None) -> AppliedResult | None:
    evidence = folded.evidence.get(new.change.id) if new else None
    return (
        None if evidence is None else AppliedResult(folded.progress[evidence.concept_id], evidence)
    )


def _problem_of(path: str, error: BadInput) -> StudyProblem:
    if isinstance(error, BrokenFile):
        return error.problem
    return StudyProblem(path, 1, error.message, error.hint or "Repair it by hand.")


def _insist(attempt: Callable[[], T]) -> T:
    """Try again while others write the same file."""
    for _ in range(_TRIES):
        try:
            return attempt()
        except Conflict:
            continue
    return attempt()
