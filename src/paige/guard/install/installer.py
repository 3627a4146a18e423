"""Installs Paige for a host and takes it out again: first everything is planned, then written.

A file that cannot be read stops the whole before anything is written. A file that nobody changed
since comes back exactly as it was; from one that somebody changed only our entries are taken.
"""

import contextlib
import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from paige.base.errors import BadInput, Conflict
from paige.base.files import write_atomic, write_error
from paige.guard.install.edits import apply, undo
from paige.guard.install.hosts import steps
from paige.guard.install.jsonedit import JsonFault
from paige.guard.install.plans import AnyPlan, JsonPlan, Step, Target, TomlPlan, WholePlan
from paige.guard.install.records import (
    Installation,
    Piece,
    Record,
    digest,
    pieces_elsewhere,
    read_record,
    write_record,
)
from paige.guard.install.tomledit import TomlFault
from paige.guard.install.tomledit import read as read_toml

PARTS = ("hooks", "mcp", "skills", "agents", "coach")
# These hosts start the same hook once, even when it stands in two files.
_ONCE = ("claude-code", "gemini")
Read = Callable[[Path], str | None]
_T = TypeVar("_T")
Action = Literal["created", "changed", "removed", "unchanged"]


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file before and after; nothing stands for a file that is not there."""

    path: Path
    old: str | None
    new: str | None

    @property
    def action(self) -> Action:
        """What happens to the file."""
        if self.old == self.new:
            return "unchanged"
        if self.old is None:
            return "created"
        return "removed" if self.new is None else "changed"

    @property
    def diff(self) -> str:
        """What changes, line by line."""
        old, new = (self.old or "").splitlines(), (self.new or "").splitlines()
        lines = difflib.unified_diff(old, new, str(self.path), str(self.path), lineterm="")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class InstallPlan:
    """All changes of an installation or its end, and the record they lead to."""

    target: Target
    changes: tuple[FileChange, ...]
    notes: tuple[str, ...]
    record: Record
    gone: tuple[Path, ...] = ()  # folders that may have become empty, the deepest first


def plan_install(
    target: Target, *, record: Record | None = None, read: Read | None = None
) -> InstallPlan:
    """What installing would do; `read` gives the text of a file. Raises: BadInput, Conflict."""
    record = read_record(target.data, target.cli) if record is None else record
    read = read or read_text
    _demand_single(target, record)
    before = record.of(target.project)
    pieces = {each.path: each for each in before.pieces} if before else {}
    texts: dict[Path, str] = {}
    changes: list[FileChange] = []
    notes: list[str] = []
    kept: list[Piece] = []
    for step in steps(target):
        plan, old = _planned(step, texts, read)
        owned = pieces.get(plan.path) or _shared(plan, target)
        change, piece, said = _one_file(plan, old, owned)
        texts[plan.path] = change.new or ""
        changes.append(change)
        notes += said
        if piece is not None:
            kept.append(piece)
    left = [each for path, each in pieces.items() if path not in texts]
    changes += [_taken(each, None, target, read) for each in left]
    made = Installation(
        project=target.project, parts=tuple(sorted(target.parts)), pieces=tuple(kept)
    )
    notes += _advice(target)
    return InstallPlan(
        target, tuple(changes), tuple(notes), record.replaced(target.project, made), _folders(left)
    )


def plan_uninstall(
    target: Target, *, record: Record | None = None, read: Read | None = None
) -> InstallPlan:
    """What taking Paige out would do; `read` gives the text of a file. Raises: BadInput."""
    record = read_record(target.data, target.cli) if record is None else record
    read = read or read_text
    before = record.of(target.project)
    pieces = list(before.pieces) if before else []
    plans = _current_plans(target, read)
    changes = [_taken(each, plans.get(each.path), target, read) for each in pieces]
    recorded = {each.path for each in pieces}
    for path, plan in plans.items():
        old = read(path)
        if path not in recorded and old is not None and not isinstance(plan, WholePlan):
            changes.append(FileChange(path, old, _without(plan, old, None)))
    kept = record.replaced(target.project, None)
    return InstallPlan(target, tuple(changes), _left(changes, recorded), kept, _folders(pieces))


def carry_out(planned: InstallPlan) -> None:
    """Write what was planned. Raises: Conflict when a file changed meanwhile."""
    target = planned.target
    for change in planned.changes:
        if read_text(change.path) != change.old:
            raise Conflict(
                f"`{change.path}` changed just now, so it was left alone",
                hint="Run the command again.",
            )
    # The record comes first: whatever breaks off now, uninstalling finds what there is.
    growing = any(change.new is not None for change in planned.changes)
    if growing and planned.record.of(target.project):
        write_record(target.data, target.cli, planned.record)
    for change in planned.changes:
        _write(change)
    for folder in planned.gone:
        with contextlib.suppress(OSError):
            folder.rmdir()
    write_record(target.data, target.cli, planned.record)


def _planned(step: Step, texts: dict[Path, str], read: Read) -> tuple[AnyPlan, str | None]:
    plan = step(texts)
    return plan, read(plan.path)


def _one_file(
    plan: AnyPlan, old: str | None, piece: Piece | None
) -> tuple[FileChange, Piece | None, tuple[str, ...]]:
    if old is not None and _said(plan.path, lambda: plan.present(old)):
        notes = plan.kept(old) if isinstance(plan, JsonPlan) else ()
        return FileChange(plan.path, old, old), piece, notes
    base = _without(plan, old, piece)
    added = _said(plan.path, lambda: plan.add(base or ""))
    new = apply(base or "", added.spans)
    if base is not None and new == base:  # everything was somebody else's
        return FileChange(plan.path, old, new), None, added.notes
    made = Piece(
        path=plan.path,
        kind=plan.kind,
        created=base is None,
        spans=added.spans,
        after=digest(new),
        had=_said(plan.path, lambda: plan.had(base or "")),
        folders=_missing_folders(plan.path) if old is None else piece.folders if piece else (),
    )
    return FileChange(plan.path, old, new), made, added.notes


def _shared(plan: AnyPlan, target: Target) -> Piece | None:
    """What another installation did to a file that hosts share: it is then this one's too."""
    shared = isinstance(plan, WholePlan) and plan.shared
    return next(iter(_others(target, plan.path)), None) if shared else None


def _without(plan: AnyPlan, old: str | None, piece: Piece | None) -> str | None:
    """A file without what is ours; nothing when it was ours alone."""
    if old is None:
        return None
    if piece is not None and digest(old) == piece.after:
        text = undo(old, piece.spans)
        return None if piece.created and not text else text
    text = _said(plan.path, lambda: plan.remove(old, piece.had if piece else ()))
    created = piece is not None and piece.created
    return None if created and _said(plan.path, lambda: plan.blank(text)) else text


def _taken(piece: Piece, plan: AnyPlan | None, target: Target, read: Read) -> FileChange:
    """A recorded file without what is ours."""
    old = read(piece.path)
    if piece.kind == "whole" and _others(target, piece.path):
        return FileChange(piece.path, old, old)
    return FileChange(piece.path, old, _without(_remembered(piece, plan), old, piece))


def _remembered(piece: Piece, plan: AnyPlan | None) -> AnyPlan:
    """The plan behind a piece: what it put in counts, not what would be put in today."""
    if piece.kind == "toml":
        said = [read_toml(span.new) for span in piece.spans]
        tables = [each for value in said for each in _leaves(value)]
        return TomlPlan(piece.path, tuple(tables))
    if piece.kind == "whole":
        return WholePlan(piece.path, apply("", piece.spans))
    return plan if isinstance(plan, JsonPlan) else JsonPlan(piece.path)


def _leaves(
    value: object, path: tuple[str, ...] = ()
) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    """Every innermost table with its path."""
    if not isinstance(value, dict):
        return []
    if value and not any(isinstance(each, dict) for each in value.values()):
        return [(path, value)]
    return [leaf for key, each in value.items() for leaf in _leaves(each, (*path, key))]


def _current_plans(target: Target, read: Read) -> dict[Path, AnyPlan]:
    """The plans over the files as they are now: places of entries count as they are."""
    texts: dict[Path, str] = {}
    plans: dict[Path, AnyPlan] = {}
    for step in steps(target):
        plan, old = _planned(step, texts, read)
        texts[plan.path] = old or ""
        plans[plan.path] = plan
    return plans


def read_text(path: Path) -> str | None:
    """The text of a file; nothing when there is none. Raises: BadInput."""
    try:
        return path.read_bytes().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise BadInput(
            f"`{path}` is not UTF-8 text (byte {error.start})",
            hint="Save it as UTF-8; nothing was written.",
        ) from error
    except OSError as error:
        raise BadInput(f"`{path}` cannot be read: {error.strerror}") from error


def _write(change: FileChange) -> None:
    if change.old == change.new:
        return
    # Settings may be a link into a folder of their own: the file behind it is written.
    path = change.path.resolve()
    if change.new is not None:
        write_atomic(path, change.new)
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise write_error(path, error) from error


def _said(path: Path, work: Callable[[], _T]) -> _T:
    """Do something with a text; what is wrong with it is said with its place."""
    try:
        return work()
    except JsonFault as fault:
        message = f"`{path}` line {fault.line}: {fault.problem}"
    except TomlFault as fault:
        message = f"`{path}`: {fault}"
    raise BadInput(message, hint="Mend the file and run the command again; nothing was written.")


def _demand_single(target: Target, record: Record) -> None:
    """Refuse what would make a hook fire twice. Raises: Conflict."""
    if target.cli in _ONCE or "hooks" not in target.parts:
        return
    others = [each for each in record.installations if each.project != target.project]
    for other in others:
        if "hooks" not in other.parts or (other.project and not other.project.is_dir()):
            continue
        if target.project is None or other.project is None:
            where = f"the project `{other.project}`" if other.project else "all projects"
            which = f" --project {other.project}" if other.project else ""
            raise Conflict(
                f"Paige's hooks are installed for {where} already, and would fire twice",
                hint=f"Run `paige uninstall {target.cli}{which}` first.",
            )


def _others(target: Target, path: Path) -> list[Piece]:
    """What other installations did to the same file."""
    return pieces_elsewhere(target.data, path, target.cli, target.project)


def _missing_folders(path: Path) -> tuple[Path, ...]:
    missing: list[Path] = []
    folder = path.parent
    while not folder.exists():
        missing.append(folder)
        folder = folder.parent
    return tuple(reversed(missing))


def _folders(pieces: Iterable[Piece]) -> tuple[Path, ...]:
    found = {folder for piece in pieces for folder in piece.folders}
    return tuple(sorted(found, key=lambda each: len(each.parts), reverse=True))


def _left(changes: Iterable[FileChange], recorded: set[Path]) -> tuple[str, ...]:
    return tuple(
        f"`{each.path}` was changed since or is used by another CLI; it stays."
        for each in changes
        if each.path in recorded and each.old is not None and each.old == each.new
    )


def _advice(target: Target) -> tuple[str, ...]:
    if target.cli == "codex" and target.project and "hooks" in target.parts:
        return ("Codex reads the files of a project only when you have trusted that project.",)
    return ()
