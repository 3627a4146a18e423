"""The files gates rest on: many at once, damaged by hand, and never half written."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.paths import SHIPPED
from paige.guard.hook_event import Scene
from paige.guard.state.delegation import (
    MAIN,
    Delegation,
    Tally,
    Violation,
    change_delegation,
    read_delegation,
    state_path,
    with_delegation,
    with_refusal,
    with_violation,
    with_work,
    without_refusals,
    without_violations,
)
from paige.guard.state.features import (
    Feature,
    SessionState,
    features_path,
    parse_features,
    read_features,
    read_session,
    session_path,
    write_features,
)
from paige.guard.state.files import MAX_BYTES, Damaged
from paige.guard.state.roles import has_orchestra, is_role, read_manners, role_of
from tests import nursery
from tests.guard.session_state import write_session

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
MANNERS = read_manners([SHIPPED])


def test_features_are_read_as_they_were_written_and_strangers_keep_their_fields(
    tmp_path: Path,
) -> None:
    features = (
        Feature("F1", "One", "First", "completed", True, 2, ("evidence/a.json",), {"owner": "Ann"}),
        Feature("F2"),
    )
    write_features(tmp_path, features)

    assert read_features(tmp_path) == features
    assert json.loads(features_path(tmp_path).read_text())["features"][0]["owner"] == "Ann"
    assert read_features(tmp_path / "elsewhere") is None


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"features": [\n {"id": "A",}\n]}', 2, "it is not JSON"),
        ("[]", 1, "no list `features`"),
        ('{"features": [1]}', 1, "feature 1 is no object"),
        ('{"features": [{}]}', 1, "feature 1 has no `id`"),
        ('{"features": [\n{"id": "A"},\n{"id": "A"}]}', 3, "the id `A` is there twice"),
        ('{"features": [\n{"id": "A", "status": "done"}]}', 2, "`status` of feature `A` is `done`"),
        ('{"features": [\n\n{"id": "A", "tested": "yes"}]}', 3, "`tested` of feature `A`"),
        ('{"features": [{"id": "A", "retries": true}]}', 1, "`retries` of feature `A` is True"),
        ('{"features": [{"id": "A", "evidence": "x"}]}', 1, "`evidence` of feature `A`"),
    ],
)
def test_a_list_damaged_by_hand_names_line_and_fix(text: str, line: int, words: str) -> None:
    with pytest.raises(Damaged) as caught:
        parse_features(text, "list")

    assert caught.value.line == line
    assert words in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("content", [b"\xff\xfe\xff", b"x" * (MAX_BYTES + 1), b"[" * 100_000])
def test_what_is_no_file_of_ours_is_damaged_and_not_empty(tmp_path: Path, content: bytes) -> None:
    path = features_path(tmp_path)
    path.parent.mkdir(parents=True)
    path.write_bytes(content)

    with pytest.raises(Damaged):
        read_features(tmp_path)
    path.unlink()
    path.mkdir()
    with pytest.raises(Damaged):
        read_features(tmp_path)


def test_the_state_of_the_work_is_kept_and_checked(tmp_path: Path) -> None:
    write_session(tmp_path, SessionState("testing", "F1", 2), NOON)

    assert read_session(tmp_path) == SessionState("testing", "F1", 2, "2026-11-15T12:00:00.000000Z")
    session_path(tmp_path).write_text('{"state": "x",\n"attempt": "two"}')
    with pytest.raises(Damaged, match="line 2: `attempt` is 'two'"):
        read_session(tmp_path)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["work", "delegate", "refuse", "done"]), st.sampled_from([MAIN, "a", "b"])
    ),
    max_size=40,
)


@given(STEPS)
def test_work_is_counted_from_the_last_delegation_of_each_agent(
    steps: list[tuple[str, str]],
) -> None:
    kinds = {
        "work": with_work,
        "delegate": with_delegation,
        "refuse": with_refusal,
        "done": without_refusals,
    }
    state = Delegation("s")
    for kind, actor in steps:
        state = kinds[kind](state, actor)

    for actor in (MAIN, "a", "b"):
        own = [kind for kind, who in steps if who == actor]
        since = own[len(own) - own[::-1].index("delegate") :] if "delegate" in own else own
        refused = own[len(own) - own[::-1].index("done") :] if "done" in own else own
        tally = Tally(since.count("work"), own.count("delegate"), refused.count("refuse"))
        assert state.of(actor) == tally


@given(st.text(max_size=100), st.text(max_size=100))
def test_two_sessions_never_share_a_file(one: str, other: str) -> None:
    same = state_path("/w", one) == state_path("/w", other)

    assert same is (one == other)
    assert state_path("/w", one).parent == Path("/w/.claude/.delegation-state")


def test_a_violation_counts_once_and_is_made_good_by_its_rule() -> None:
    first = Violation("r", MAIN, "F1", "t1")
    state = with_violation(with_violation(Delegation("s"), first), Violation("r", MAIN, "F1", "t2"))
    more = with_violation(state, Violation("r", MAIN, "F2", "t3"))

    assert state.violations == (first,)
    assert [each.about for each in without_violations(more, "r", frozenset({"F1"})).violations] == [
        "F2"
    ]
    assert without_violations(more, "r").violations == ()
    assert without_violations(more, "other") == more


def test_what_is_kept_of_a_session_comes_back_with_the_fields_of_strangers(tmp_path: Path) -> None:
    change_delegation(tmp_path, "s", NOON, lambda state: with_work(state, MAIN))
    path = state_path(tmp_path, "s")
    path.write_text(json.dumps({**json.loads(path.read_text()), "note": "mine"}))
    change_delegation(tmp_path, "s", NOON, lambda state: with_work(state, MAIN))

    kept = read_delegation(tmp_path, "s")
    assert kept is not None
    assert kept.of(MAIN).work == 2
    assert json.loads(path.read_text())["note"] == "mine"
    assert read_delegation(tmp_path, "other") is None


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ('{"role": 7}', 1),
        ('{\n"actors": {"main": {\n"work": -1}}}', 3),
        ('{"actors": {"main": {"work": true}}}', 1),
        ('{"actors": []}', 1),
        ('{"violations": [{"rule": "r"}]}', 1),
        ('{"tested": 5}', 1),
    ],
)
def test_a_state_damaged_by_hand_is_never_taken_for_an_empty_one(
    tmp_path: Path, text: str, line: int
) -> None:
    path = state_path(tmp_path, "s")
    path.parent.mkdir(parents=True)
    path.write_text(text)

    with pytest.raises(Damaged) as caught:
        change_delegation(tmp_path, "s", NOON, lambda state: with_work(state, MAIN))

    assert caught.value.line == line
    assert path.read_text() == text


COUNTING = """
import sys
from datetime import UTC, datetime
from paige.guard.state.delegation import MAIN, change_delegation, with_work
for _ in range(20):
    change_delegation(sys.argv[1], "s", datetime(2026, 1, 1, tzinfo=UTC),
                      lambda state: with_work(state, MAIN))
"""


def test_of_many_calls_at_once_each_counts_once(tmp_path: Path) -> None:
    crowd = [nursery.start([sys.executable, "-c", COUNTING, str(tmp_path)]) for _ in range(4)]
    assert [each.wait(60) for each in crowd] == [0, 0, 0, 0]

    kept = read_delegation(tmp_path, "s")
    assert kept is not None
    assert kept.of(MAIN).work == 80


def scene(agent: str | None = None, agent_type: str | None = None) -> Scene:
    """A scene with somebody in it."""
    return Scene("claude-code", "PreToolUse", "s", "/w", "default", agent, agent_type)


@pytest.mark.parametrize(
    ("who", "given_role", "kept", "role"),
    [
        (scene(), "", "", ""),
        (scene(), "conductor", "", "conductor"),
        (scene(), "Section-Leader", "", "section_leader"),
        (scene(), "", "conductor", "conductor"),
        (scene(), "musician", "conductor", "musician"),
        (scene(), "conducter", "", "musician"),
        (scene(agent_type="conductor"), "musician", "", "conductor"),
        (scene(agent_type="my-own-agent"), "conductor", "", "conductor"),
        (scene("a1", "Explore"), "conductor", "conductor", "musician"),
        (scene("a1"), "conductor", "", "musician"),
        (scene("a1", "plugin:Tester-Agent"), "conductor", "", "tester"),
        (scene("a1", "section leader"), "conductor", "", "section_leader"),
    ],
)
def test_the_hosts_word_comes_first_then_the_variable_then_the_file(
    who: Scene, given_role: str, kept: str, role: str
) -> None:
    assert role_of(who, given_role, kept, MANNERS.names) == role


def test_a_project_changes_single_values_and_a_broken_file_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "guard" / "roles.toml"
    path.parent.mkdir()
    path.write_text("[delegation]\nblock_at = 3\nwarn_at = 2\n[names]\nmusician = ['drummer']\n")
    own = read_manners([tmp_path, SHIPPED])
    path.write_text("[delegation]\nblock_at = 0\n")
    broken = read_manners([tmp_path, SHIPPED])

    assert (own.block_at, own.warn_at, own.most_lines) == (3, 2, 1000)
    assert is_role("drummer", own.names)
    assert is_role("tester-agent", own.names)
    assert broken.block_at == MANNERS.block_at
    assert "`block_at` is 0" in broken.problems[0]


def test_an_orchestra_is_a_folder_of_roles_or_features(tmp_path: Path) -> None:
    assert not has_orchestra(tmp_path)
    (tmp_path / ".claude" / "progress").mkdir(parents=True)
    assert has_orchestra(tmp_path)
