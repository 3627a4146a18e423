"""The observer's rules without anything running: traces, signals, figures, odd input."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.observer import TRACES, read_traces, score
from paige.base.errors import BadInput
from paige.coach.observer import rules
from paige.coach.observer.edits import loops
from paige.coach.observer.places import belongs, goes_with, is_test
from paige.coach.observer.rules import ObserverState, acted, judge, judge_moment, typed
from paige.coach.observer.trace import Act, Aim, clean_path, read_moment, read_trace
from tests.coach.observer_traces.make import cases
from tests.conftest import NOON
from tests.live import run_paige

SECOND = timedelta(seconds=1)
PHASE = {"number": 1, "title": "t", "description": "d", "expected_files": ["src/a.py"]}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
TYPES = st.sampled_from(
    ["buffer_update", "file_save", "file_open", "test_run", "nudge_sent", "buffer_summary", "x", ""]
)
ACTIONS = st.lists(
    st.fixed_dictionaries(
        {}, optional={"type": TYPES | JSON, "at": JSON, "path": JSON, "data": JSON}
    )
    | JSON,
    max_size=12,
)


@pytest.mark.parametrize("folder", [TRACES, TRACES / "held"], ids=["developed", "held"])
def test_nudges_are_right_nine_times_of_ten_and_few_are_missed(folder: Path) -> None:
    traces = read_traces(folder)
    found = score(traces)

    assert len(traces) >= 60
    assert found.precision() >= 0.9
    assert found.recall() >= 0.7
    for signal in ("wrong_file", "scope_drift", "idle", "phase_complete", "edit_loop"):
        assert found.precision(signal) >= 0.9, signal
        assert found.recall(signal) >= 0.7, signal


def test_the_traces_are_what_their_scripts_write() -> None:
    kept = {case.name: case.trace for case in read_traces()}

    assert kept == {case.name: case.trace for case in cases()}


def test_the_rules_hold_for_tales_told_with_other_dice() -> None:
    """The same situations at other speeds, in other projects, with other clients."""
    for seed in (101, 202, 303):
        told = cases(seed)
        wrong = [
            (case.name, said.signal, said.why)
            for case in told
            if (said := judge(read_trace(case.trace))).signal != case.signal
        ]
        assert len(wrong) <= len(told) // 20, wrong


@given(st.fixed_dictionaries({"actions": ACTIONS}, optional={"phase": JSON, "dreyfus_stage": JSON}))
def test_whatever_is_asked_is_answered(asked: dict[str, Any]) -> None:
    said = judge(read_trace({**asked, "now": "2026-03-02T10:00:00Z"}))

    assert 0 <= said.confidence <= 1
    assert said.should_nudge is (said.signal != "no_nudge")


@pytest.mark.parametrize(
    "asked", [{"actions": "none", "now": 1}, {"actions": []}, {"actions": [], "now": "soon"}]
)
def test_what_cannot_be_judged_says_what_is_wrong(asked: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        read_trace(asked)


def test_moments_are_read_however_they_are_written() -> None:
    moment = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    written = (
        "2026-03-02T09:30:00Z",
        "2026-03-02T10:30:00+01:00",
        "2026-03-02T09:30:00",
        moment.timestamp(),
        int(moment.timestamp() * 1000),
        str(int(moment.timestamp())),
    )

    assert {read_moment(each) for each in written} == {moment}
    assert [read_moment(each) for each in (None, True, "soon", [], 1e300)] == [None] * 5


def test_a_path_is_found_beside_the_type_in_the_data_or_in_front() -> None:
    trace = read_trace(
        {
            "actions": [
                {"type": "file_open", "at": 0, "data": {"path": "./src\\a.py"}},
                {"type": "buffer_update", "at": 1},
                {"type": "tab_switch", "at": 2, "data": {"fromPath": "src/a.py", "toPath": "b.py"}},
                {"type": "buffer_update"},
            ],
            "now": 3,
        }
    )

    assert [act.path for act in trace.acts] == ["src/a.py", "src/a.py", "b.py", "b.py"]
    assert trace.acts[-1].at == trace.acts[-2].at


@pytest.mark.parametrize(
    ("path", "expected", "is_part"),
    [
        ("src/a.py", "src/a.py", True),
        ("/home/me/shop/src/a.py", "src/a.py", True),
        ("src/b.py", "src/a.py", False),
        ("tests/test_a.py", "src/a.py", True),
        ("src/a.test.ts", "src/a.ts", True),
        ("src/AuthTest.java", "src/Auth.java", True),
        ("src/other/a.py", "src/a.py", False),
        ("src/a.h", "src/a.c", True),
        ("src/user.controller.ts", "src/user.service.ts", False),
        ("src/user.service.spec.ts", "src/user.service.ts", True),
        ("src/__init__.py", "src/a.py", True),
        ("app/mails/x.py", "app/mails/", True),
        ("app/mails/x.py", "app/mails", True),
        ("app/queue/x.py", "app/queue/*.py", True),
        ("app/deep/er/x.py", "app/**/*.py", True),
        ("src/a.py", "tests/test_a.py", False),
    ],
)
def test_files_that_go_with_an_expected_one_belong_to_the_phase(
    path: str, expected: str, is_part: bool
) -> None:
    assert belongs(path, Aim(expected_files=(expected,))) is is_part


def test_a_file_that_the_phase_names_belongs_to_it() -> None:
    aim = Aim(1, "Settings", "Move the limit into settings.toml.", ("src/a.py",))

    assert belongs("conf/settings.toml", aim)
    assert not belongs("conf/other-settings.toml", aim)


def test_paths_are_compared_in_one_form() -> None:
    assert clean_path(".\\src\\a.py") == "src/a.py"
    assert clean_path("src//x/../a.py") == "src/a.py"
    assert clean_path("src/") == "src/"
    assert is_test("pkg/a_test.go")
    assert not is_test("src/contest.py")
    assert not goes_with("README.md", "src/a.py")


def test_stepping_back_by_undo_is_one_return() -> None:
    states = ("a", "ab", "abc", "abcd", "abc", "ab", "a", "ax", "axy")

    assert _loop(states).returns == 1


def test_going_to_and_fro_counts_every_time() -> None:
    assert _loop(("a", "b", "a", "c", "a", "d", "a")).returns == 3
    assert _loop(("a", "b") * 4).returns == 3


@given(st.lists(st.sampled_from("abcdef"), min_size=1, max_size=40))
def test_there_are_never_more_returns_than_half_the_changes(states: list[str]) -> None:
    assert _loop(tuple(states)).returns <= len(states) / 2


def test_time_is_told_as_people_say_it() -> None:
    lengths = (0, 45, 192, 3900)

    told = [rules.quiet_for(timedelta(seconds=each)) for each in lengths]

    assert told == ["0s", "45s", "3m12s", "1h05m"]


def test_typing_counts_for_the_threshold_and_not_for_the_flow() -> None:
    state = ObserverState("s1", NOON)
    for number in range(20):
        state = typed(state, NOON + number * SECOND)
    quiet = rules.suppressed_by(state, NOON + 20 * SECOND)
    for number in range(11):
        state = acted(state, NOON + (20 + number) * SECOND)

    assert rules.typed_enough(state)
    assert quiet is None
    assert rules.suppressed_by(state, NOON + 31 * SECOND) == "flow_state"
    assert rules.suppressed_by(state, NOON + 95 * SECOND) is None


def test_the_rules_say_what_a_nudge_is_about() -> None:
    acts = [{"type": "buffer_update", "at": at, "path": "src/b.py"} for at in range(0, 120, 10)]
    trace = read_trace({"phase": PHASE, "actions": acts, "now": 125})

    said = judge_moment(trace)

    assert (said.should_nudge, said.signal) == (True, "wrong_file")
    about = said.suggested_context
    assert (about.current_file, about.expected_file) == ("src/b.py", "src/a.py")
    assert (about.time_in_file, about.phase_description) == ("2m05s", "d")


def test_a_novice_hears_sooner_than_an_expert() -> None:
    acts = [{"type": "buffer_update", "at": at, "path": "src/b.py"} for at in range(0, 25, 5)]
    asked = {"phase": PHASE, "actions": acts, "now": 26}
    by_stage = {
        stage: judge(read_trace({**asked, "dreyfus_stage": stage})).should_nudge
        for stage in ("novice", "advanced_beginner", "competent", "proficient", "expert")
    }

    assert by_stage == {
        "novice": True,
        "advanced_beginner": True,
        "competent": False,
        "proficient": False,
        "expert": False,
    }


def test_the_command_answers_line_by_line(tmp_path: Path) -> None:
    lines = (TRACES / "idle.jsonl").read_text(encoding="utf-8").splitlines()[:3]
    asked = [json.dumps(json.loads(line)["trace"]) for line in lines]
    done = run_paige(tmp_path, "coach", "observe", "--jsonl", stdin="\n".join((*asked, "no json")))
    said = [json.loads(line) for line in done.stdout.splitlines()]

    assert [each["signal"] for each in said[:3]] == ["idle"] * 3
    assert set(said[0]) == {"signal", "confidence", "should_nudge"}
    assert "error" in said[3]
    assert done.returncode == 1


def _loop(states: tuple[str, ...]) -> Any:
    acts = [
        Act("buffer_update", NOON + number * SECOND, "a.py", {"content": state})
        for number, state in enumerate(states)
    ]
    return loops(acts)[0]
