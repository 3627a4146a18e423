"""What must hold for any memories in any order."""

import os
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from paige.language.names.gate import NameGate
from paige.memory.event import Draft, Event
from paige.memory.intake.admission import Writer
from paige.memory.intake.broker import Broker
from paige.memory.intake.fingerprints import fact_slot, is_import
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.log.log import Log
from tests.conftest import NOON
from tests.depth import examples
from tests.memory.folding import FoldedLogs

NAMES = st.none() | st.sampled_from(["a", "b"])
MOMENTS = st.integers(0, 2).map(lambda minutes: NOON + timedelta(minutes=minutes))


@st.composite
def drafts(draw: st.DrawFn) -> Draft:
    """Small values, so that they often meet."""
    payload = {
        name: value
        for name, value in (
            ("speaker", draw(NAMES)),
            ("key", draw(NAMES)),
            ("source", draw(st.sampled_from([None, None, "import"]))),
        )
        if value is not None
    }
    return Draft(
        text=draw(st.sampled_from(["yes", "no", "blue"])),
        type=draw(st.sampled_from(["note", "turn", "fact", "preference", "episode"])),
        project=draw(NAMES),
        session=draw(NAMES),
        payload=payload,
        at=draw(MOMENTS),
        id=draw(st.none() | st.sampled_from(["x", "y"])),
    )


def tried(batches: list[list[Draft]], writer: Writer) -> tuple[list[str], list[Event], FoldedLogs]:
    """Remember batches in a new log; the results, and what it holds."""
    with TemporaryDirectory() as folder:
        log = Log(Path(folder) / "events.jsonl")
        known = FoldedLogs(log)
        broker = Broker(
            log,
            known,
            now=lambda: NOON,
            randomness=os.urandom,
            names=NameGate(),
            projects=ProjectLogs(log),
        )
        told = [each.status for batch in batches for each in broker.remember(batch, writer)]
        events = list(log.read())
        log.close()
        known.events = lambda: iter(events)  # type: ignore[method-assign]
        return told, events, known


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(drafts(), max_size=8))
def test_remembering_again_changes_nothing(batch: list[Draft]) -> None:
    own = [draft for draft in batch if not is_import(draft.payload) or draft.id]
    keyed = [replace(draft, payload={**draft.payload, "key": ""}) for draft in own]
    _, once, _ = tried([keyed], Writer())
    told, twice, _ = tried([keyed, keyed], Writer())
    assert [event.text for event in twice] == [event.text for event in once]
    assert "stored" not in told[len(keyed) :]


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(drafts(), max_size=8))
def test_a_batch_and_its_drafts_one_by_one_come_to_the_same(batch: list[Draft]) -> None:
    together, _, _ = tried([batch], Writer())
    alone, _, _ = tried([[draft] for draft in batch], Writer())
    assert together == alone


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(drafts(), max_size=10))
def test_nothing_is_dropped_that_differs_in_project_session_speaker_or_time(
    batch: list[Draft],
) -> None:
    plain = [replace(draft, id=None, type="turn") for draft in batch]
    _, events, _ = tried([plain], Writer())

    def place(draft: Draft | Event) -> tuple[object, ...]:
        project, session, speaker = draft.project, draft.session, draft.payload.get("speaker")
        return project, session, speaker, draft.at, draft.text

    assert {place(event) for event in events} == {place(draft) for draft in plain}
    imported = [draft for draft in plain if is_import(draft.payload)]
    assert sum(is_import(event.payload) for event in events) == len(imported)


@settings(max_examples=examples(60), deadline=None)
@given(st.lists(drafts(), max_size=12))
def test_a_superseded_fact_is_never_current(batch: list[Draft]) -> None:
    _, events, known = tried([batch], Writer())
    superseded = {event.supersedes for event in events} - {None}
    for event in events:
        if event.supersedes:
            assert event.type in ("fact", "preference")
            assert not is_import(event.payload)
        slot = fact_slot(event)
        if slot is not None and not is_import(event.payload):
            current = known.current_fact(slot)
            assert current is not None
            assert current not in superseded


@settings(max_examples=examples(60), deadline=None)
@given(drafts(), NAMES)
def test_the_scope_is_the_project_if_one_is_known_else_everywhere(
    draft: Draft, project: str | None
) -> None:
    _, [event], _ = tried([[draft]], Writer(project=project))
    asks = not is_import(draft.payload) and draft.type != "preference"
    expected = draft.project or (project if asks else None)
    assert event.scope == ("project" if expected else "global")
    assert event.project == expected
