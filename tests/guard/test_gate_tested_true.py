"""`tested: true` is found in any spelling, whatever tool writes it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.events import PreTool
from paige.guard.compiler import book_for
from paige.guard.fast.place import Place
from paige.guard.gates.file_changes import read_line
from paige.guard.gates.tested_true import Claim, claim_of, judged_claim
from paige.guard.state.evidence_files import Evidence, EvidenceRecords
from paige.guard.state.features import claims_in
from paige.guard.state.files import Damaged
from tests.guard.gate_project import new_project, with_features

LIST = "/w/app/.claude/progress/feature-list.json"
PLACE = Place("/w/app", "/w/app", "/home/u", "", True)
BEFORE = json.dumps({"features": [{"id": "F1", "tested": False}, {"id": "F2", "tested": True}]})
BOOK = book_for(PLACE).compiled


def claimed(tool: str, current: str | None = BEFORE, **given_input: object) -> Claim | None:
    """What one call of a tool would claim."""
    event = PreTool("s", tool, given_input)
    line = None
    if tool == "Bash":
        line = read_line(str(given_input["command"]), PLACE, BOOK)
    return claim_of(event, line, PLACE, current)


def spelled(text: str, picks: list[bool]) -> str:
    """A text with some of its letters written as escapes."""
    flags = iter(picks)
    return "".join(f"\\u{ord(each):04x}" if next(flags, False) else each for each in text)


SPACE = st.text(" \t\n\r", max_size=3)


@given(
    picks=st.lists(st.booleans(), min_size=6, max_size=6),
    space=st.lists(SPACE, min_size=4, max_size=4),
    before=st.booleans(),
    others=st.dictionaries(
        st.text(max_size=8).filter(lambda key: key.strip().casefold() not in ("tested", "id")),
        st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
        max_size=3,
    ),
    deep=st.integers(0, 4),
)
def test_a_claim_is_found_in_every_spelling_json_has(
    picks: list[bool], space: list[str], before: bool, others: dict[str, Any], deep: int
) -> None:
    a, b, c, d = space
    pair = f'{a}"{spelled("tested", picks)}"{b}:{c}true{d}'
    twice = '"tested": false,' if before else ""
    rest = "".join(f",{json.dumps(key)}:{json.dumps(value)}" for key, value in others.items())
    text = f'{{"id": "F9", {twice}{pair}{rest}}}'
    for _ in range(deep):
        text = f'{{"features": [{text}, {{"tested": false}}]}}'

    assert claims_in(text, "list") == {"F9"}


@given(
    st.recursive(
        st.one_of(st.none(), st.just(False), st.integers(), st.text(max_size=5)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3),
            st.dictionaries(
                st.sampled_from(["id", "title", "features", "status", "retries"]), inner, max_size=4
            ),
        ),
        max_leaves=10,
    )
)
def test_a_list_without_the_key_claims_nothing(value: object) -> None:
    assert claims_in(json.dumps(value), "list") == frozenset()


@pytest.mark.parametrize("value", ["true", "1", '"true"', '"yes"', '"passed"', "[0]", '{"a": 1}'])
def test_what_somebody_may_take_for_true_is_a_claim(value: str) -> None:
    assert claims_in(f'[{{"id": "F1", "Tested ": {value}}}]', "list") == {"F1"}


@pytest.mark.parametrize("value", ["false", "null", "0", '""', '"false"', "[]", "{}"])
def test_what_nobody_takes_for_true_is_none(value: str) -> None:
    assert claims_in(f'[{{"id": "F1", "tested": {value}}}]', "list") == frozenset()


@given(st.text(max_size=60))
def test_any_text_is_read_or_damaged_with_a_line(text: str) -> None:
    line, hint = 1, "none needed"
    try:
        claims_in(text, "list")
    except Damaged as error:
        line, hint = error.line, error.hint

    assert 1 <= line <= text.count("\n") + 1
    assert hint


PATCH = """*** Begin Patch
*** Update File: {path}
@@
-{{"features": [{{"id": "F1", "tested": false}}, {{"id": "F2", "tested": true}}]}}
+{{"features": [{{"id": "F1", "tested": true}}, {{"id": "F2", "tested": true}}]}}
*** End Patch"""
MARKED = BEFORE.replace("false", "true")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": LIST, "content": MARKED}),
        ("write_file", {"file_path": "./.claude/progress/feature-list.json", "content": MARKED}),
        ("create", {"path": LIST, "file_text": MARKED}),
        ("Write", {"file_path": LIST.upper(), "content": MARKED}),
        ("Edit", {"file_path": LIST, "old_string": "false", "new_string": "true"}),
        ("Edit", {"file_path": LIST, "old_string": "fals", "new_string": "tru"}),
        ("replace", {"file_path": LIST, "old_string": "false", "new_string": "true"}),
        ("str_replace", {"path": LIST, "old_str": "false", "new_str": "true"}),
        (
            "MultiEdit",
            {
                "file_path": LIST,
                "edits": [
                    {"old_string": "false", "new_string": "xx"},
                    {"old_string": "xx", "new_string": "true"},
                ],
            },
        ),
        ("apply_patch", {"command": PATCH.format(path=".claude/progress/feature-list.json")}),
        ("apply_patch", {"input": PATCH.format(path=LIST)}),
        ("Bash", {"command": f"echo '{MARKED}' > .claude/progress/feature-list.json"}),
        ("Bash", {"command": f"cat > {LIST} <<'END'\n{MARKED}\nEND"}),
    ],
)
def test_a_feature_newly_called_tested_is_found_by_any_tool(
    tool: str, arguments: dict[str, Any]
) -> None:
    claim = claimed(tool, **arguments)

    assert claim is not None
    assert (claim.new, claim.unclear) == (("F1",), "")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Edit", {"file_path": LIST, "old_string": "not there", "new_string": "true"}),
        ("mcp__files__append_file", {"path": LIST, "content": "x"}),
        ("apply_patch", {"input": PATCH.format(path=LIST).replace("-{", "-{{")}),
        ("Bash", {"command": "sed -i s/false/true/ .claude/progress/feature-list.json"}),
        ("Bash", {"command": "cd .claude/progress && jq . x > feature-list.json"}),
        ("Bash", {"command": "mv /tmp/new.json .claude/progress/feature-list.json"}),
        ("Bash", {"command": "cp /tmp/feature-list.json .claude/progress/"}),
        ("Bash", {"command": "echo x | tee .claude/progress/feature-list.json"}),
        ("Bash", {"command": "python3 -c \"open('feature-list.json','w')\""}),
        ("Bash", {"command": "echo x >> .claude/progress/feature-list.json"}),
        ("Bash", {"command": f"bash -c 'cat /tmp/x > {LIST}'"}),
    ],
)
def test_what_nobody_can_tell_is_refused_with_what_to_do_instead(
    tool: str, arguments: dict[str, Any]
) -> None:
    claim = claimed(tool, **arguments)

    assert claim is not None
    assert "Write the whole `feature-list.json`" in claim.unclear


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "/w/app/src/a.json", "content": MARKED}),
        ("Bash", {"command": f"cat {LIST}"}),
        ("Bash", {"command": f"jq .features {LIST} > /tmp/copy.json"}),
        ("Bash", {"command": f"git add {LIST} && git commit -m done"}),
        ("Bash", {"command": "ls -la"}),
    ],
)
def test_other_files_and_reading_are_no_business_of_it(
    tool: str, arguments: dict[str, Any]
) -> None:
    assert claimed(tool, **arguments) is None


def test_what_was_tested_before_and_taking_it_back_need_no_evidence() -> None:
    same = claimed("Write", file_path=LIST, content=BEFORE)
    back = claimed("Write", file_path=LIST, content=BEFORE.replace("true", "false"))

    assert (same and same.new, back and back.new) == ((), ())


def test_an_edit_that_fits_twice_is_judged_by_the_worse_result() -> None:
    current = (
        '{"features": [{"id": "A", "note": "no", "tested": false}, {"id": "B", "tested": false}]}'
    )
    claim = claimed(
        "Edit", current, file_path=LIST, old_string='"tested": false', new_string='"tested": true'
    )

    assert claim is not None
    assert claim.new == ("A", "B")


def test_a_text_that_would_break_the_list_is_refused_with_its_line() -> None:
    claim = claimed("Write", file_path=LIST, content='{"features": [\n  {"tested": true},\n]}')

    assert claim is not None
    assert "line 3" in claim.unclear or "line 2" in claim.unclear


def test_over_a_broken_list_nothing_may_be_called_tested() -> None:
    claim = claimed("Write", '{"features": [\n', file_path=LIST, content=MARKED)

    assert claim is not None
    assert "line 2" in claim.unclear
    assert "Ask the person to repair it" in claim.unclear


def run_of(**changed: object) -> Evidence:
    """A good run with the tree `T`."""
    values: dict[str, Any] = {
        "argv": ("pytest",),
        "cwd": "/w/app",
        "exit_code": 0,
        "tests": 3,
        "tree_hash": "T",
        "at": "2026-11-15T10:00:00.000000Z",
        "tool_use_id": None,
        **changed,
    }
    return Evidence(**values)


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ((), "no run of tests has been seen"),
        ((run_of(exit_code=1),), "ended with exit code 1"),
        ((run_of(tests=0),), "no test ran"),
        ((run_of(tree_hash="old"),), "files have changed since"),
        ((run_of(), run_of(exit_code=2)), ""),
        ((run_of(tree_hash="old"), run_of(exit_code=2)), "ended with exit code 2"),
        ((run_of(feature="F7"),), "were run for the feature `F7`"),
        ((run_of(feature="F1"),), ""),
        ((run_of(),), ""),
    ],
)
def test_evidence_counts_only_when_it_is_good_fresh_and_for_the_feature(
    records: tuple[Evidence, ...], why: str
) -> None:
    judged = judged_claim(Claim(LIST, ("F1",)), EvidenceRecords(records), "T")

    assert bool(judged.missing) is bool(why)
    assert why in judged.why


def test_a_link_to_the_list_is_the_list(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    listed = with_features(project, {"id": "F1", "tested": False})
    (project.root / "innocent.txt").symlink_to(listed)
    marked = '{"features": [{"id": "F1", "tested": true}]}'

    written = project.before("Write", file_path=project.path("innocent.txt"), content=marked)
    shell = project.before("Bash", command=f"echo '{marked}' > innocent.txt")

    assert "needs evidence" in written.denied
    assert "needs evidence" in shell.denied


def test_evidence_typed_by_hand_does_not_count(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    listed = with_features(project, {"id": "F1", "tested": False})
    project.ran("pytest -q", "1 passed in 0.1s\n")
    (real,) = (listed.parent / "evidence").glob("*.json")
    typed = {**json.loads(real.read_text()), "tests": 99, "at": "2027-01-01T00:00:00.000000Z"}
    real.write_text(json.dumps(typed))

    marked = '{"features": [{"id": "F1", "tested": true}]}'
    said = project.before("Write", file_path=str(listed), content=marked)

    assert "was not written by Paige on this machine" in said.denied
