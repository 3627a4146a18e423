"""The gate over `tested: true`: nobody may say so without a run of tests with these very files.

The text the list would hold is read as JSON, whatever tool writes it. Where nobody can tell what
it would hold, the answer is no: the list can always be written as a whole.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.fast.place import Place
from paige.guard.gate_runner import Situation
from paige.guard.gates.edits import texts_after
from paige.guard.gates.file_changes import Line
from paige.guard.hook_event import Outcome
from paige.guard.shell.targets import full_path
from paige.guard.state.evidence_files import Evidence, EvidenceRecords, fresh
from paige.guard.state.features import NAME, claims_in
from paige.guard.state.files import Damaged
from paige.guard.tools import changes_of

RULE = "block-tested-true"
FACT = "tested"
_HOW = (
    f"Write the whole `{NAME}` with the tool that writes files, so that Paige can read what it "
    "would hold."
)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a call would do to the list: features newly called tested, or why nobody can tell."""

    path: str
    new: tuple[str, ...] = ()
    unclear: str = ""


@dataclass(frozen=True, slots=True)
class ClaimJudgement:
    """A claim with the features no evidence stands for, and what evidence there is."""

    claim: Claim
    missing: tuple[str, ...] = ()
    why: str = ""


def gate(situation: Situation) -> Outcome | None:
    """A refusal when a feature would be called tested without evidence."""
    judged = situation.facts.get(FACT)
    if not isinstance(judged, ClaimJudgement):
        return None
    if judged.claim.unclear:
        return Outcome(Deny(judged.claim.unclear), RULE)
    if not judged.missing:
        return None
    named = ", ".join(f"`{each}`" if each else "one without an id" for each in judged.missing)
    reason = (
        f"`tested: true` needs evidence, and there is none for {named}: {judged.why}. Run the "
        "test tool by itself (for example `pytest`), see the tests pass, and change no file "
        "before you mark the feature."
    )
    return Outcome(Deny(reason), RULE)


def is_list(path: str, listed: frozenset[str], place: Place) -> bool:
    """Whether a path is the list of features; `listed` are other paths that lead to it."""
    name = path.rstrip("/").replace("\\", "/").rpartition("/")[2]
    return name.casefold() == NAME or full_path(path, place) in listed


def claim_of(
    event: PreTool | PermissionRequest,
    line: Line | None,
    place: Place,
    current: str | None,
    listed: frozenset[str] = frozenset(),
) -> Claim | None:
    """What a call would claim; nothing when it does not touch the list.

    `current` is the text of the list now, if there is one.
    """
    if line is not None:
        for path, text in _shell_texts(line, place, listed):
            return _claim(path, () if text is None else (text,), current)
        return None
    for change in changes_of(event.tool, event.input):
        if is_list(change.path, listed, place):
            texts = texts_after(event.tool, event.input, change.path, current or "")
            return _claim(change.path, texts, current)
    return None


def judged_claim(claim: Claim, found: EvidenceRecords, tree: str) -> ClaimJudgement:
    """A claim with what evidence says of it."""
    missing = tuple(each for each in claim.new if fresh(found.records, each, tree) is None)
    return ClaimJudgement(claim, missing, _why(missing, found, tree) if missing else "")


def _claim(path: str, texts: tuple[str, ...], current: str | None) -> Claim:
    if not texts:
        return Claim(path, unclear=f"Nobody can tell what `{path}` would hold after this. {_HOW}")
    new: set[str] = set()
    try:
        for text in texts:
            new |= claims_in(text, path)
    except Damaged as error:
        return Claim(path, unclear=f"The file would be broken: {error.sentence()}")
    before: frozenset[str] = frozenset()
    if current is not None and new:
        try:
            before = claims_in(current, path) - {""}
        except Damaged as error:
            return Claim(path, unclear=(
                f"{error.sentence()} As it is, nobody can tell which features were tested "
                "before, so none may be called tested. Ask the person to repair it."
            ))  # fmt: skip
    return Claim(path, tuple(sorted(new - before)))


def _shell_texts(
    line: Line, place: Place, listed: frozenset[str]
) -> Iterator[tuple[str, str | None]]:
    """The list where a command line writes it, with the text that goes in if it is known."""
    for run in line.runs:
        for path in run.writes:
            if is_list(path, listed, place) or run.full(path, place) in listed:
                yield path, None if path in run.appends else run.text
        if not run.reads_only:
            for word in run.words[1:]:
                named = is_list(word, listed, place) or NAME in word.casefold()
                if named or run.full(word, place) in listed:
                    yield NAME, None


def _why(missing: tuple[str, ...], found: EvidenceRecords, tree: str) -> str:
    if not found.records:
        left_out = f" ({found.left_out[0]})" if found.left_out else ""
        return f"no run of tests has been seen here{left_out}"
    good = [each for each in found.records if each.good]
    if not good:
        return _unfit(found.records[-1])
    same = [each for each in good if each.tree_hash == tree]
    if not same:
        last = found.records[-1]
        if last.tree_hash == tree and not last.good:
            return _unfit(last)
        return f"files have changed since tests last passed, at {good[-1].at}"
    return f"the tests that passed were run for the feature `{same[-1].feature}`, not for it"


def _unfit(last: Evidence) -> str:
    if last.exit_code != 0:
        return f"the last run ended with exit code {last.exit_code}"
    return "in the last run no test ran"
