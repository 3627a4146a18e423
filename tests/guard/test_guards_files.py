"""Guard files: layered, written whole, one writer at a time; a broken one costs itself only."""

import json
import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from paige.base.errors import BadInput, Conflict, NotFound, PaigeError, Refused
from paige.guard.fast.place import Place, place_of
from paige.guard.guards.files import (
    change_record,
    find_guard,
    for_hooks,
    path_for,
    read_guards,
    read_records,
    write_new,
)
from paige.guard.guards.history import pasts_of
from paige.guard.guards.parser import dump_guard, dump_record
from paige.guard.guards.stages import introduce, roll_back, with_override
from paige.guard.guards.values import GuardRecord, LearnedMatcher, Override
from paige.guard.state.files import write_object
from tests.guard.guard_values import NOON, bash, force_push, in_production, in_shadow, proposed


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "app" / ".git").mkdir(parents=True)
    (tmp_path / "app" / ".ai" / "guards").mkdir(parents=True)
    return place_of(str(tmp_path / "app"), str(tmp_path / "data"))


def test_a_guard_is_kept_where_its_scope_says(place: Place, tmp_path: Path) -> None:
    own = write_new(place, in_shadow(force_push()))
    wide = write_new(place, proposed(force_push(id="wide", scope="universal")))
    assert own == tmp_path / "app" / ".ai" / "guards" / "no-force-push.json"
    assert wide == tmp_path / "config" / "ai" / "guards" / "wide.json"
    assert [each.id for each in read_records(place)] == ["no-force-push", "wide"]
    assert find_guard(place, "wide").path == wide
    elsewhere = Place(place.cwd, place.root, place.home, place.data, False)
    assert [each.id for each in read_records(elsewhere)] == ["wide"]


def test_what_is_only_proposed_leaves_the_project_alone_until_it_may_watch(place: Place) -> None:
    path = write_new(place, proposed(force_push()))
    assert path.is_relative_to(place.data)
    assert [each.standing for each in read_records(place)] == ["proposed"]

    change_record(place, "no-force-push", lambda found: in_shadow(found.guard))

    assert not path.exists()
    moved = find_guard(place, "no-force-push")
    assert (moved.path, moved.record.standing) == (
        path_for(place, "no-force-push", "project"),
        "shadow",
    )


def test_a_guard_of_the_project_hides_none_of_the_person(place: Place) -> None:
    write_new(place, proposed(force_push(scope="universal", message="Of the person.")))
    write_object(path_for(place, "no-force-push", "project"), dump_record(proposed(force_push())))
    assert [each.guard.scope for each in read_records(place)] == ["project", "universal"]


def test_a_broken_file_is_named_and_costs_nobody_else(place: Place) -> None:
    write_new(place, in_production(force_push()))
    folder = Path(place.root) / ".ai" / "guards"
    (folder / "torn.json").write_text('{\n "id": "torn",\n', encoding="utf-8")
    (folder / "list.json").write_text("[]", encoding="utf-8")
    (folder / "binary.json").write_bytes(b"\xff\xfe\x00")
    (folder / "folder.json").mkdir()
    wrong = dump_guard(force_push(id="wrong")) | {"matcher": {"pathes": ["src/**"]}}
    (folder / "wrong.json").write_text(json.dumps(wrong), encoding="utf-8")
    named = dump_guard(force_push(id="another"))
    (folder / "misnamed.json").write_text(json.dumps(named), encoding="utf-8")
    scoped = dump_guard(force_push(id="scoped", scope="universal"))
    (folder / "scoped.json").write_text(json.dumps(scoped), encoding="utf-8")

    found = read_guards(place)
    guards, problems = for_hooks(place)

    assert [each.id for each in found.records] == ["no-force-push"]
    assert len(found.problems) == 7
    assert any("torn.json" in each and "line 3" in each for each in found.problems)
    assert any("wrong.matcher.pathes" in each for each in found.problems)
    assert any("misnamed.id" in each for each in found.problems)
    assert [each["id"] for each in guards] == ["no-force-push"]
    assert problems == found.problems


def test_what_blocks_stands_before_what_watches(place: Place) -> None:
    write_new(place, in_shadow(force_push(id="a")))
    write_new(place, in_production(force_push(id="b")))
    write_new(place, proposed(force_push(id="c")))
    guards, _ = for_hooks(place)
    assert [(each["id"], each["shadow"]) for each in guards] == [("b", False), ("a", True)]


def test_a_step_that_is_refused_writes_nothing(place: Place) -> None:
    path = write_new(place, proposed(force_push()))
    before = path.read_bytes()

    def refuse(record: GuardRecord) -> GuardRecord:
        raise Refused("no")

    with pytest.raises(Refused):
        change_record(place, "no-force-push", refuse)
    assert path.read_bytes() == before
    with pytest.raises(NotFound):
        change_record(place, "nothing", refuse)
    with pytest.raises(Conflict):
        write_new(place, proposed(force_push()))


def test_a_guard_written_by_hand_gets_its_history_with_the_first_step(place: Place) -> None:
    path = path_for(place, "no-force-push", "project")
    write_object(path, dump_guard(force_push()))
    assert find_guard(place, "no-force-push").record.standing == "proposed"
    change_record(
        place, "no-force-push", lambda found: roll_back(found, at=NOON, by="p", why="No.")
    )
    written = json.loads(path.read_text())
    assert [each["stage"] for each in written["versions"][1]["history"]] == [
        "experiment",
        "retired",
    ]


def _add(root: str, data: str, number: int) -> None:
    place = place_of(root, data)
    for each in range(10):
        override = Override(decision=f"{number}-{each}", at=NOON, by="p", why="ok")
        change_record(place, "no-force-push", lambda found, o=override: with_override(found, o))


def test_no_step_is_lost_when_several_write(place: Place) -> None:
    write_new(place, in_production(force_push()))
    context = multiprocessing.get_context("spawn")
    running = [
        context.Process(target=_add, args=(place.root, place.data, number)) for number in range(3)
    ]
    for each in running:
        each.start()
    for each in running:
        each.join(60)
    assert [each.exitcode for each in running] == [0, 0, 0]
    assert len(find_guard(place, "no-force-push").record.overrides) == 30


# --- bringing guards in ---------------------------------------------------------------------------


def line(number: int, command: str, decision: str) -> dict[str, object]:
    return {
        "id": f"l{number}", "at": "2026-01-01T12:00:00Z", "session": "s", "event": "pre_tool",
        "tool": "Bash", "input": {"command": command}, "decision": decision,
    }  # fmt: skip


def test_a_guard_is_brought_in_as_a_proposal_and_no_further(place: Place) -> None:
    history = tuple(pasts_of([line(1, "git push --force", "deny")]))
    record = introduce(place, force_push(), history, now=NOON, by="learn", why="Three times.")
    assert record.standing == "proposed"
    assert record.current.metrics["already"] == 1
    assert read_records(place) == (record,)
    with pytest.raises(Conflict):
        introduce(place, force_push(), history, now=NOON, by="learn", why="Again.")
    change_record(place, record.id, lambda found: roll_back(found, at=NOON, by="p", why="No."))
    again = introduce(place, force_push(), history, now=NOON, by="learn", why="Again.")
    assert again.current.version == 2


@pytest.mark.parametrize(
    ("guard", "said"),
    [
        (force_push(must=(bash("git status"),)), "examples"),
        (force_push(matcher=LearnedMatcher(command=("git", "push"))), "examples|harmless"),
        (force_push(matcher=LearnedMatcher(command=("git", "push")), must_not=()), "harmless"),
        (force_push(matcher=LearnedMatcher()), "every call"),
    ],
)
def test_an_unsound_guard_is_not_kept(place: Place, guard: object, said: str) -> None:
    with pytest.raises(PaigeError, match=said):
        introduce(place, guard, (), now=NOON, by="learn", why="x")  # type: ignore[arg-type]
    assert read_records(place) == ()


def test_a_guard_that_history_speaks_against_is_not_kept(place: Place) -> None:
    history = tuple(pasts_of([line(1, "git push --force", "none")]))
    with pytest.raises(Refused, match="fine"):
        introduce(place, force_push(), history, now=NOON, by="learn", why="x")
    assert read_records(place) == ()


def test_without_a_project_only_universal_guards_can_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    nowhere = Place("/", "/", "/", str(tmp_path), False)
    with pytest.raises(BadInput):
        write_new(nowhere, proposed(force_push()))
    assert write_new(nowhere, proposed(replace(force_push(), scope="universal"))).exists()
