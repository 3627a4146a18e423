import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.coach.log.action_log import BY_NAME, BufferLog, Significant, Summary, is_significant

EDITS = st.lists(
    st.tuples(
        st.sampled_from(["a.py", "b.py"]), st.integers(0, 3000), st.sampled_from(["edit", "sum"])
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        (100, 150, False),  # exactly half
        (100, 151, True),
        (100, 50, False),
        (100, 49, True),
        (2000, 2500, False),  # exactly 500
        (2000, 2501, True),
        (2000, 1499, True),
        (0, 0, False),
        (0, 1, True),
    ],
)
def test_more_than_half_or_more_than_500_characters_is_significant(
    before: int, now: int, expected: bool
) -> None:
    assert is_significant(before, now) is expected


def test_a_jump_is_told_at_once_and_counted_from_there() -> None:
    log = BufferLog()
    log.opened("a.py", 1000)

    assert log.noted("a.py", 1100) is None
    assert log.noted("a.py", 1600) == Significant("a.py", 1000, 1600)
    assert log.noted("a.py", 1700) is None


def test_a_new_file_counts_from_its_first_text_unless_that_is_long() -> None:
    log = BufferLog()
    assert not log.knows("a.py")
    assert log.noted("a.py", 500) is None
    assert log.knows("a.py")
    assert log.noted("a.py", 1100) == Significant("a.py", 500, 1100)
    assert log.noted("b.py", 501) == Significant("b.py", 0, 501)


def test_a_summary_tells_edits_and_growth_since_the_last_one() -> None:
    log = BufferLog()
    log.opened("a.py", 100)
    for chars in (110, 120, 115):
        log.noted("a.py", chars)

    assert log.summaries(["a.py"]) == [Summary("a.py", 3, 15, 115)]
    assert log.summaries(["a.py"]) == [], "nothing changed since"
    log.noted("a.py", 116)
    assert log.summaries(["a.py"]) == [Summary("a.py", 1, 1, 116)]


def test_a_jump_is_in_the_next_summary_as_an_edit_but_not_as_growth_again() -> None:
    log = BufferLog()
    log.opened("a.py", 100)
    log.noted("a.py", 900)
    log.noted("a.py", 905)
    assert log.summaries(["a.py"]) == [Summary("a.py", 2, 5, 905)]


def test_only_unsaved_files_are_summed_up_each_once_and_by_name() -> None:
    log = BufferLog()
    for path in ("c.py", "a.py", "b.py"):
        log.opened(path, 10)
        log.noted(path, 11)

    found = log.summaries(["c.py", "a.py", "c.py", "unknown.py"])
    assert [each.path for each in found] == ["a.py", "c.py"]
    assert log.summaries([]) == []
    assert [each.path for each in log.summaries(["b.py"])] == ["b.py"]


def test_a_closed_file_and_an_ended_session_are_forgotten() -> None:
    log = BufferLog()
    for path in ("a.py", "b.py", "c.py"):
        log.opened(path, 10)
        log.noted(path, 12)
    log.forget("a.py")
    log.forget("never.py")
    assert [each.path for each in log.summaries(["a.py", "b.py"])] == ["b.py"]
    log.reset()
    assert log.summaries(["a.py", "b.py", "c.py"]) == []


def test_both_have_the_data_that_their_actions_need() -> None:
    jump, summary = Significant("a.py", 10, 800), Summary("a.py", 3, -2, 8)
    assert jump.data == {
        "path": "a.py",
        "previousCharCount": 10,
        "newCharCount": 800,
        "delta": 790,
    }
    assert summary.data == {"path": "a.py", "editCount": 3, "charDelta": -2, "charCount": 8}
    assert set(jump.data) == BY_NAME["buffer_significant_change"].required
    assert set(summary.data) == BY_NAME["buffer_summary"].required


@given(EDITS)
def test_all_growth_and_all_edits_are_told_exactly_once(edits: list[tuple[str, int, str]]) -> None:
    log = BufferLog()
    paths = {"a.py": 700, "b.py": 0}
    for path, chars in paths.items():
        log.opened(path, chars)
    growth, counted, chars_now = dict.fromkeys(paths, 0), dict.fromkeys(paths, 0), dict(paths)
    typed = dict.fromkeys(paths, 0)
    for path, chars, what in edits:
        if what == "edit":
            jump = log.noted(path, chars)
            chars_now[path] = chars
            typed[path] += 1
            growth[path] += jump.new_chars - jump.previous_chars if jump else 0
        else:
            for each in log.summaries(paths):
                growth[each.path] += each.char_delta
                counted[each.path] += each.edit_count
    for each in log.summaries(paths):
        growth[each.path] += each.char_delta
        counted[each.path] += each.edit_count

    assert counted == typed
    assert growth == {path: chars_now[path] - paths[path] for path in paths}
    assert log.summaries(paths) == []
