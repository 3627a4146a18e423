"""Bringing a log to this version of its fields."""

import json
import os
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Conflict, NotFound, Refused, Unavailable
from paige.memory.event import SEAL_FIELDS, Event, load_event
from paige.memory.log.log import Log
from paige.memory.migrations.audit import MigrationReport
from paige.memory.migrations.log_swap import journal_path, new_path, plan_swap, resume
from paige.memory.migrations.migration import MigrationOptions, Progress, migrate, plan
from paige.memory.migrations.steps import (
    STEPS,
    Step,
    Version,
    prototype_to_first,
    read_version,
    simple_to_prototype,
    steps_between,
    version_of,
)
from tests import nursery
from tests.memory.test_event import unknown, values

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
WAY = MigrationOptions(now=NOON)
SIMPLE = {"ts": "2025-01-01T10:00:00", "kind": "note", "text": "simple", "project": "shop"}
PROTOTYPE: dict[str, Any] = {
    "id": "p-1",
    "timestamp": 1735725600,
    "event_type": "user_message",
    "content": {"text": "prototype", "tokens": 3},
    "scope": "user",
    "agent_id": "coder",
    "session_id": "s1",
    "importance": 7,
    "metadata": {"a": 1},
    "colour": "blue",
}


def write(path: Path, *lines: object) -> Path:
    raw = [line if isinstance(line, bytes) else orjson.dumps(line) for line in lines]
    with path.open("ab") as file:
        file.write(b"".join(each + b"\n" for each in raw))
    return path


def note(seq: int, **changes: Any) -> Event:
    fields: dict[str, Any] = {
        "id": f"e{seq}",
        "seq": seq,
        "at": NOON,
        "type": "note",
        "scope": "global",
        "owner": "me",
        "text": f"text {seq}",
    }
    return Event(**fields | changes)


def log_with(path: Path, *changes: dict[str, Any], segment_bytes: int = 2**26) -> Log:
    log = Log(path, segment_bytes=segment_bytes)
    for each in changes:
        log.append(lambda seq, each=each: [note(seq, **each)])
    return log


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} - {"events.jsonl.lock"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "events.jsonl"


# Versions and steps


def test_versions_are_read_and_compared() -> None:
    assert read_version("1.10.0") == Version(1, 10, 0)
    assert read_version("1.2") == Version(1, 2, 0)
    assert read_version("2.0.0-rc.1") == Version(2, 0, 0)
    assert read_version("one") is None
    assert read_version(1) is None
    assert Version(1, 10, 0) > Version(1, 9, 5)


def test_a_line_without_a_version_is_known_by_its_names() -> None:
    assert version_of(SIMPLE) == Version(0, 1, 0)
    assert version_of(PROTOTYPE) == Version(0, 2, 0)
    assert version_of({"seq": 1, "at": "x", "type": "note"}) == Version(1, 0, 0)
    assert version_of({"a": 1}) is None
    assert version_of({"schema_version": "0.5.0", "ts": 1}) == Version(0, 5, 0)


def test_steps_are_chained_and_a_version_in_between_takes_the_next() -> None:
    target = Version(1, 0, 0)

    assert [s.to for s in steps_between(Version(0, 1, 0), target, STEPS)] == [
        Version(0, 2, 0),
        target,
    ]
    assert [s.since for s in steps_between(Version(0, 7, 3), target, STEPS)] == [Version(0, 2, 0)]
    assert steps_between(target, target, STEPS) == []
    assert steps_between(Version(1, 4, 0), target, STEPS) == []


def test_a_step_gives_a_new_line_and_leaves_the_old_one_alone() -> None:
    before = json.dumps([SIMPLE, PROTOTYPE])

    simple_to_prototype(SIMPLE)
    prototype_to_first(PROTOTYPE)

    assert json.dumps([SIMPLE, PROTOTYPE]) == before


def test_a_line_of_the_prototype_finds_its_places() -> None:
    line = prototype_to_first(PROTOTYPE)

    assert line["at"] == "2025-01-01T10:00:00.000000Z"
    assert (line["type"], line["text"], line["session"]) == ("user_message", "prototype", "s1")
    assert (line["scope"], line["origin_scope"]) == ("learner", "user")
    assert line["agent"] == {"id": "coder", "role": None, "tool": None}
    assert line["importance"] == 0.5
    assert line["payload"] == {"tokens": 3, "meta": {"a": 1}, "importance": 7}
    assert line["colour"] == "blue"


@given(st.dictionaries(st.sampled_from([*SIMPLE, *PROTOTYPE, "acl", "outcome", "x"]), values))
def test_no_line_breaks_the_steps_and_no_value_is_lost(fields: dict[str, Any]) -> None:
    line = prototype_to_first(simple_to_prototype(fields))

    load_event({"id": "x", "owner": "me", "at": "2026-01-01T00:00:00Z", "seq": 1, **line})
    everything = json.dumps(line)
    kept = [name for name in ("x", "metadata") if fields.get(name) not in (None, "", [], {})]
    assert all(json.dumps(fields[name]) in everything for name in kept)


# The plan


def test_a_plan_says_what_would_change_and_writes_nothing(path: Path) -> None:
    write(path, SIMPLE, PROTOTYPE, b"{torn")
    before = path.read_bytes()

    planned = plan(path, WAY)

    assert planned.needed
    assert planned.as_json() == {
        "log": str(path),
        "needed": True,
        "refused": None,
        "damaged": 0,
        "to": "1.0.0",
        "events": 2,
        "versions": {"0.1.0": 1, "0.2.0": 1},
        "changed": 2,
        "untouched": 0,
        "forgotten": 0,
        "newer": 0,
        "by_type": {
            "note": {"changed": 1, "untouched": 0},
            "user_message": {"changed": 1, "untouched": 0},
        },
        "steps": {
            "0.1.0 to 0.2.0: `ts`, `kind` and `text` got the prototype's names": 1,
            "0.2.0 to 1.0.0: flat fields became the event's own": 2,
        },
        "skipped": 1,
        "set_aside": 1,
        "skipped_lines": [{"file": "events.jsonl", "line": 3, "why": "it is not a JSON object"}],
    }
    assert "it can be migrated" in planned.as_text()
    assert "events.jsonl:3: it is not a JSON object" in planned.as_text()
    assert path.read_bytes() == before
    assert names(path.parent) == {"events.jsonl"}


def test_a_log_that_does_not_exist_is_not_found(path: Path) -> None:
    with pytest.raises(NotFound):
        plan(path, WAY)
    with pytest.raises(NotFound):
        migrate(path, WAY)


def test_a_log_of_this_version_stays_as_it_is(path: Path) -> None:
    log_with(path, {}, {"extra": {"new": 1}})
    before = path.read_bytes()

    report = migrate(path, WAY)

    assert not report.written
    assert "Nothing had to be changed." in report.as_text()
    assert path.read_bytes() == before
    assert names(path.parent) == {"events.jsonl"}


# The migration


def test_an_early_log_becomes_one_that_can_be_read_and_verified(path: Path) -> None:
    write(path, SIMPLE, PROTOTYPE, {"text": "later, without a time"})
    before = path.read_bytes()

    report = migrate(path, replace(WAY, owner="anna"))

    events = list(Log(path).read())
    assert [(event.seq, event.text, event.owner) for event in events] == [
        (1, "simple", "anna"),
        (2, "prototype", "anna"),
        (3, "later, without a time", "anna"),
    ]
    assert events[0].project == "shop"
    assert events[0].scope == "project"
    assert events[1].id == "p-1"
    assert events[1].extra["colour"] == "blue"
    assert events[0].extra["origin_version"] == "0.1.0"
    assert events[2].at == events[1].at
    assert {event.schema_version for event in events} == {"1.0.0"}
    assert Log(path).verify().ok
    assert Log(path).foreign() == []
    assert report.kept == (path.with_name("events.jsonl.before-1.0.0"),)
    assert report.kept[0].read_bytes() == before


def test_the_log_goes_on_after_a_migration(path: Path) -> None:
    log = Log(path)
    write(path, SIMPLE)
    assert log.last_seq() == 0

    migrate(path, WAY)
    log.append(lambda seq: [note(seq)])

    assert [event.seq for event in log.read()] == [1, 2]
    assert log.verify().ok


def test_what_cannot_be_carried_is_kept_beside_the_log_with_the_reason(path: Path) -> None:
    lines = [b"not json", b"\xff\xfe", {"a": 1}, {**SIMPLE, "schema_version": "soon"}]
    write(path, SIMPLE, *lines, {**PROTOTYPE}, {**PROTOTYPE, "content": "again"})

    report = migrate(path, WAY)

    assert [event.text for event in Log(path).read()] == ["simple", "prototype"]
    assert report.side_file is not None
    aside = lines_of(report.side_file)
    assert [(line["line"], line["why"]) for line in aside] == [
        (2, "it is not a JSON object"),
        (3, "it is not a JSON object"),
        (4, "nothing tells what it is: it has no words and no time"),
        (5, "its version `soon` is not one"),
        (7, "the id `p-1` was there before"),
    ]
    assert aside[0]["text"] == "not json"
    assert aside[1]["base64"] == "//4="
    assert "delete them" in report.as_text()


def test_the_report_is_written_for_people_and_programs(path: Path) -> None:
    write(path, SIMPLE)

    report = migrate(path, WAY)

    written = path.with_name("events.jsonl.migration-1.0.0.json")
    assert json.loads(written.read_bytes()) == report.as_json()
    words = written.with_name(f"{written.name}.txt").read_text()
    assert words == report.as_text()
    assert "Changed: 1. Untouched: 0." in words
    assert report.as_json()["by_type"] == {"note": {"changed": 1, "untouched": 0}}


def test_events_keep_their_hash_as_origin_and_get_a_new_chain(path: Path) -> None:
    log_with(path, {}, {})
    write(path, SIMPLE)
    before = lines_of(path)

    migrate(path, WAY)

    after = lines_of(path)
    assert [line.get("origin_hash") for line in after] == [
        before[0]["hash"],
        before[1]["hash"],
        None,
    ]
    assert after[0]["hash"] != before[0]["hash"]
    assert [line["id"] for line in after[:2]] == ["e1", "e2"]
    assert Log(path).verify().ok


def test_what_was_forgotten_stays_forgotten_and_keeps_its_proof(path: Path) -> None:
    log = log_with(path, {"text": "secret"}, {})
    log.forget(["e1"])
    digest = lines_of(path)[0]["digest"]
    write(path, SIMPLE)

    report = migrate(path, WAY)

    first, *_ = Log(path).read()
    assert first.forgotten
    assert first.text == ""
    assert lines_of(path)[0]["digest"] == digest
    assert Log(path).verify().ok
    assert report.counts.forgotten == 1


def test_a_line_that_was_taken_in_before_is_not_carried_twice(path: Path) -> None:
    log = Log(path)
    write(path, SIMPLE)
    [foreign] = log.foreign()
    log.append(lambda seq: [note(seq, text="simple", payload={"adopted": foreign.mark})])
    write(path, {**SIMPLE, "text": "another"})

    report = migrate(path, WAY)

    assert [event.text for event in Log(path).read()] == ["simple", "another"]
    assert report.side_file is None
    assert report.counts.left == 1


def test_lines_of_a_newer_version_are_carried_as_they_are(path: Path) -> None:
    newer = {
        "schema_version": "1.7.0",
        "extra": {"mood": {"deep": [1, None]}},
    }
    log_with(path, newer)
    raw = lines_of(path)[0]
    inner = {**raw, "id": "n2", "seq": 9, "agent": {"id": "a", "version": 3}, "text": "inner"}
    foreign = {name: value for name, value in inner.items() if name not in SEAL_FIELDS}
    write(path, foreign, SIMPLE)

    report = migrate(path, WAY)

    first, second, _ = lines_of(path)
    for before, after in ((raw, first), (foreign, second)):
        same = set(before) - {*SEAL_FIELDS, "seq"}
        assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert report.counts.newer == 2
    assert report.counts.changed.total() == 1


@given(st.lists(unknown, min_size=1, max_size=4))
def test_unknown_fields_survive_a_migration_and_the_forgetting_of_others(
    tmp_path_factory: pytest.TempPathFactory, extras: list[dict[str, Any]]
) -> None:
    path = tmp_path_factory.mktemp("log") / "events.jsonl"
    log_with(path, *({"extra": extra} for extra in extras))
    write(path, *({**SIMPLE, **extra} for extra in extras))

    migrate(path, WAY)
    Log(path).forget(["e1"])

    found = [
        {name: value for name, value in event.extra.items() if not name.startswith("origin_")}
        for event in Log(path).read()
    ]
    assert found == [{}, *extras[1:], *extras]
    assert Log(path).verify().ok


def test_a_newer_major_version_is_left_alone_with_a_sentence(path: Path) -> None:
    write(path, SIMPLE, {"schema_version": "2.1.0", "whatever": True})
    before = path.read_bytes()

    planned = plan(path, WAY)
    with pytest.raises(Refused) as refused:
        migrate(path, WAY)

    assert planned.refused == refused.value.message
    assert "lines of version 2.1.0" in refused.value.message
    assert refused.value.hint == "Update Paige."
    assert path.read_bytes() == before
    assert names(path.parent) == {"events.jsonl"}


def test_a_version_this_paige_cannot_write_is_refused(path: Path) -> None:
    write(path, SIMPLE)

    with pytest.raises(Refused, match="cannot write version"):
        migrate(path, replace(WAY, target="9.0.0"))


def test_a_log_that_was_changed_by_hand_is_not_made_good_silently(path: Path) -> None:
    log_with(path, {"text": "five euros"})
    path.write_bytes(path.read_bytes().replace(b"five", b"nine"))
    write(path, SIMPLE)
    before = path.read_bytes()

    with pytest.raises(Conflict, match="changed by hand"):
        migrate(path, WAY)
    assert path.read_bytes() == before

    migrate(path, replace(WAY, damaged_too=True))
    assert next(Log(path).read()).text == "nine euros"


def test_a_later_version_adds_a_step(path: Path) -> None:
    def louder(fields: dict[str, Any]) -> dict[str, Any]:
        return {**fields, "text": fields["text"].upper()}

    step = Step(Version(1, 0, 0), Version(1, 1, 0), louder, "words got louder")
    log_with(path, {}, {"schema_version": "1.1.0", "text": "quiet"})
    write(path, SIMPLE)

    migrate(path, replace(WAY, target="1.1.0", steps=(*STEPS, step)))

    events = list(Log(path).read())
    assert [event.text for event in events] == ["TEXT 1", "quiet", "SIMPLE"]
    assert {event.schema_version for event in events} == {"1.1.0"}
    assert [event.extra.get("origin_version") for event in events] == ["1.0.0", None, "0.1.0"]


def test_a_log_of_many_files_becomes_one_and_the_old_files_are_kept(path: Path) -> None:
    log_with(path, *({} for _ in range(6)), segment_bytes=900)
    write(path, SIMPLE)
    old = {file.name: file.read_bytes() for file in path.parent.glob("events*.jsonl")}
    assert len(old) > 2

    report = migrate(path, WAY)

    assert len(list(Log(path).read())) == 7
    assert Log(path).verify().ok
    assert [file.name for file in path.parent.glob("events*.jsonl")] == ["events.jsonl"]
    kept = {file.name.removesuffix(".before-1.0.0"): file.read_bytes() for file in report.kept}
    assert kept == old


def test_an_earlier_copy_is_never_overwritten(path: Path) -> None:
    copy = path.with_name("events.jsonl.before-1.0.0")
    copy.write_text("precious")
    write(path, SIMPLE)

    report = migrate(path, WAY)

    assert copy.read_text() == "precious"
    assert report.kept[0].name == "events.jsonl.before-1.0.0-2"


def test_progress_is_shown_to_the_end(path: Path) -> None:
    write(path, *(SIMPLE for _ in range(5000)))
    seen: list[Progress] = []

    report = migrate(path, replace(WAY, progress=seen.append))

    assert report.counts.events == 5000
    assert [step.phase for step in seen] == ["write"] * 3 + ["check"] * 3
    assert seen[0].lines == 2000
    assert seen[2] == Progress("write", 5000, path_size(report), path_size(report))


def path_size(report: MigrationReport) -> int:
    return report.kept[0].stat().st_size


def test_equal_lines_without_an_id_are_events_of_their_own(path: Path) -> None:
    write(path, SIMPLE, SIMPLE)

    migrate(path, WAY)

    first, second = Log(path).read()
    assert first.id != second.id


# Interruptions


class Stop(Exception):
    """Something went wrong in the middle."""


def stop_at(phase: str, path: Path) -> MigrationOptions:
    def progress(step: Progress) -> None:
        if step.phase == phase:
            raise Stop

    assert path.exists()
    return replace(WAY, progress=progress)


@pytest.mark.parametrize("phase", ["write", "check"])
def test_an_interrupted_migration_leaves_the_log_and_can_be_started_again(
    path: Path, phase: str
) -> None:
    write(path, SIMPLE, b"bad")
    before = path.read_bytes()

    with pytest.raises(Stop):
        migrate(path, stop_at(phase, path))

    assert path.read_bytes() == before
    assert names(path.parent) == {"events.jsonl"}
    assert migrate(path, WAY).written
    assert [event.text for event in Log(path).read()] == ["simple"]


def test_a_new_log_that_differs_is_not_used(path: Path) -> None:
    write(path, *(SIMPLE for _ in range(5000)))
    before = path.read_bytes()

    def damage(step: Progress) -> None:
        if step.phase == "check":
            with new_path(path).open("ab") as file:
                file.write(b"{}\n")

    with pytest.raises(Unavailable, match="is not what the old one says"):
        migrate(path, replace(WAY, progress=damage))

    assert path.read_bytes() == before
    assert names(path.parent) == {"events.jsonl"}


KILLED = """
import os, sys
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from paige.memory.migrations import migration as migrating
from paige.memory.migrations.migration import MigrationOptions, migrate
from paige.memory.migrations import log_swap

place, path = sys.argv[1], Path(sys.argv[2])

def die(*_):
    os._exit(9)

def wrapped(module, name, number):
    real, calls = getattr(module, name), [0]
    def call(*arguments, **named):
        calls[0] += 1
        if calls[0] == number:
            die()
        return real(*arguments, **named)
    setattr(module, name, call)

way = MigrationOptions(now=datetime(2026, 3, 4, tzinfo=UTC))
if place in ("write", "check"):
    way = MigrationOptions(now=way.now, progress=lambda step: step.phase == place and die())
elif place == "journal":
    wrapped(log_swap, "_carry_out", 1)
elif place == "rename":
    wrapped(log_swap.os, "rename", 2)
elif place == "link":
    wrapped(log_swap.os, "link", 1)
elif place == "linked":
    real = log_swap.os.link
    log_swap.os.link = lambda *names: (real(*names), die())
elif place == "replaced":
    real = log_swap.os.replace
    def replace(source, target):
        real(source, target)
        if str(target) == str(path):
            die()
    log_swap.os.replace = replace
migrate(path, way)
"""


@pytest.fixture(params=["write", "check", "journal", "rename", "link", "linked", "replaced"])
def killed(request: pytest.FixtureRequest, path: Path) -> Path:
    """A log of several files whose migration was killed somewhere."""
    log_with(path, *({} for _ in range(6)), segment_bytes=900)
    write(path, SIMPLE)
    done = nursery.run([sys.executable, "-c", KILLED, request.param, str(path)])
    assert done.returncode == 9
    return path


def test_a_killed_migration_is_finished_by_the_next(killed: Path) -> None:
    migrate(killed, WAY)

    events = list(Log(killed).read())
    assert [event.text for event in events] == [*(f"text {n}" for n in range(1, 7)), "simple"]
    assert Log(killed).verify().ok
    kept = list(killed.parent.glob("*.before-1.0.0"))
    assert sum(len(file.read_bytes().splitlines()) for file in kept) == 7
    assert not any(name.startswith(".") for name in names(killed.parent))
    assert [file.name for file in killed.parent.glob("events*.jsonl")] == ["events.jsonl"]
    [report] = killed.parent.glob("*.migration-1.0.0.json")
    assert json.loads(report.read_bytes())["events"] == 7


def test_a_swap_is_taken_back_when_someone_wrote_meanwhile(path: Path) -> None:
    log_with(path, *({} for _ in range(6)), segment_bytes=900)
    files = sorted(path.parent.glob("events*.jsonl"))
    new_path(path).write_bytes(b"new\n")
    todo = plan_swap(path, "1.0.0", path.stat().st_size)
    written = {
        "active": path.name,
        "kept": [[old.name, kept.name] for old, kept in todo.kept],
        "size": todo.size,
        "inode": todo.inode,
    }
    journal_path(path).write_bytes(orjson.dumps(written))
    os.rename(*todo.kept[0])
    write(path, SIMPLE)

    resume(path)

    assert sorted(path.parent.glob("events*.jsonl")) == files
    assert len(list(Log(path).read())) == 6
    assert not any(name.startswith(".") for name in names(path.parent))


def test_what_others_append_meanwhile_is_brought_along(path: Path) -> None:
    write(path, SIMPLE)

    def append(step: Progress) -> None:
        if step.phase == "check":
            write(path, {"text": "late"})

    migrate(path, replace(WAY, progress=append))

    log = Log(path)
    assert [event.text for event in log.read()] == ["simple"]
    assert [line.fields for line in log.foreign()] == [{"text": "late"}]


def test_a_writer_waits_for_the_migration_and_loses_nothing(path: Path) -> None:
    write(path, SIMPLE)
    log = Log(path)
    writers: list[threading.Thread] = []

    def start(step: Progress) -> None:
        append = partial(log.append, lambda seq: [note(seq, text="meanwhile")])
        writers.append(threading.Thread(target=append))
        writers[-1].start()

    migrate(path, replace(WAY, progress=start))
    for writer in writers:
        writer.join(60)

    found = [(event.seq, event.text) for event in log.read()]
    assert found == [(1, "simple"), (2, "meanwhile"), (3, "meanwhile")]
    assert log.verify().ok
