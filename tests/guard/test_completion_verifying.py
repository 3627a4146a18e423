"""Checks run in a copy of the project, within bounds, and say what they found."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.guard.completion.job import run_job
from paige.guard.completion.project_wishes import read_wishes
from paige.guard.completion.records import (
    STOPPED,
    TIME_UP,
    Check,
    Record,
    Result,
    changing,
    read_record,
    record_path,
)
from paige.guard.completion.tree import tree_of
from paige.guard.completion.verification import shown_files, verdict, verify
from paige.guard.fast.place import Place

PYTHON = json.dumps(sys.executable)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    root = tmp_path / "app"
    (root / ".ai" / "guard").mkdir(parents=True)
    (root / "a.py").write_text("x = 1\n")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return Place(str(root), str(root), str(tmp_path / "home"), str(tmp_path / "data"), True)


def ask(place: Place, text: str, *, person: bool = False) -> None:
    folder = Path(place.home) / ".config/ai/guard" if person else Path(place.root) / ".ai/guard"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "completion.toml").write_text(text)


def checked(place: Place, record: Record | None = None) -> Result:
    asked = read_wishes(place)
    return verify(place.root, asked, record or Record(), run="r1", now=system_clock).result


def by_name(result: Result) -> dict[str, Check]:
    return {each.name: each for each in result.checks}


def test_a_command_of_the_project_runs_in_a_copy(place: Place) -> None:
    script = "open('a.py', 'w').write('changed'); open('new', 'w').close(); print('seen')"
    ask(place, f"[ask]\nprofile='standard'\n[checks]\ntests=[{PYTHON}, '-c', {json.dumps(script)}]")
    result = checked(place)

    assert result.status == "passed"
    assert by_name(result)["tests"].status == "passed"
    assert Path(place.root, "a.py").read_text() == "x = 1\n"
    assert not Path(place.root, "new").exists()


def test_a_command_that_fails_is_an_issue_with_a_next_step(place: Place) -> None:
    script = "print('1 failed'); raise SystemExit(1)"
    ask(place, f"[ask]\nprofile='standard'\n[checks]\ntests=[{PYTHON}, '-c', {json.dumps(script)}]")
    result = checked(place, Record(passed=("tests",)))

    assert result.status == "failed"
    assert "1 failed" in by_name(result)["tests"].detail
    assert "It passed before" in result.issues[0]
    assert result.next_steps
    assert result.regressions == ("tests",)


def test_a_command_that_takes_too_long_is_stopped_and_fails_nothing(place: Place) -> None:
    ask(
        place,
        f"[ask]\nprofile='standard'\n[profiles.standard]\nseconds=2\nchecks=['tests', 'lint']\n"
        f"[checks]\ntests=[{PYTHON}, '-c', 'while True: pass']\nlint=[{PYTHON}, '-c', '']",
    )
    result = checked(place)

    assert result.status == "unknown"
    detail = by_name(result)["tests"].detail
    assert detail.startswith((STOPPED, TIME_UP))


def test_a_command_has_no_network_and_finds_the_mark_of_the_hook(place: Place) -> None:
    script = (
        "import os, socket\nassert os.environ['PAIGE_IN_HOOK'] == '1'\n"
        "try: socket.create_connection(('127.0.0.1', 22), 1)\n"
        "except OSError as e: print(e)\nelse: raise SystemExit(9)"
    )
    ask(place, f"[ask]\nprofile='standard'\n[checks]\ntests=[{PYTHON}, '-c', {json.dumps(script)}]")

    assert checked(place).status == "passed"


def test_syntax_is_checked_without_a_command(place: Place) -> None:
    Path(place.root, "a.py").write_text("def f(:\n")
    Path(place.root, "b.json").write_text("{")
    Path(place.root, "c.txt").write_text("<<<<<<< ours\n=======\n>>>>>>> theirs\n")
    ask(place, "[ask]\nprofile='quick'\n")
    result = checked(place)

    assert result.status == "failed"
    for name in ("a.py", "b.json", "c.txt: a conflict"):
        assert name in by_name(result)["syntax"].detail


def test_a_check_without_a_command_or_program_is_left_out_and_says_why(place: Place) -> None:
    ask(place, "[ask]\nprofile='deep'\n[checks]\nlint=['no-such-program-here']")
    found = by_name(checked(place))

    assert found["tests"].detail == "the project names no command for it"
    assert found["lint"].status == "skipped"
    assert found["review"].detail == "nobody is named who reviews"


def test_what_a_project_is_too_large_for_is_said(place: Place) -> None:
    for number in range(5_100):
        Path(place.root, f"f{number}").touch()
    ask(place, "[ask]\nprofile='quick'\n")
    result = checked(place)

    assert result.status == "unknown"
    assert "too large" in result.checks[0].detail


@pytest.mark.parametrize(
    "text",
    [
        "[sandbox]\nunshut=true",
        "[review]\njudge='codex'",
        "[judges]\ncodex=['sh', '-c', 'touch /tmp/owned']",
        "[claims]\nsentences=99",
    ],
)
def test_what_costs_or_opens_something_only_a_person_may_set(place: Place, text: str) -> None:
    before = read_wishes(place).tables
    ask(place, text)
    assert read_wishes(place).tables == before

    ask(place, text, person=True)
    assert read_wishes(place).tables != before


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("[ask]\nstrict=['everything']", "everything"),
        ("[ask]\nwhen='never'", "never"),
        ("[ask]\nprofile=3", "profile"),
        ("[ask]\nrefusals=true", "refusals"),
        ("[wish]\nx=1", "wish"),
        ("[checks]\ntests='pytest -q'", "tests"),
        ("not toml", "not TOML"),
    ],
)
def test_a_wrong_value_is_named(place: Place, text: str, wrong: str) -> None:
    ask(place, text)

    with pytest.raises(BadInput) as caught:
        read_wishes(place)
    assert wrong in caught.value.message


def test_the_state_of_files_changes_with_them_and_not_with_notes(place: Place) -> None:
    root = Path(place.root)
    before = tree_of(place.root, ["node_modules"])
    (root / ".claude").mkdir()
    (root / ".claude" / "notes.md").write_text("done")
    (root / "node_modules").mkdir()
    (root / "node_modules" / "x.js").write_text("1")
    same = tree_of(place.root, ["node_modules"])
    (root / "b.py").write_text("y = 2")
    other = tree_of(place.root, ["node_modules"])

    assert same.fingerprint == before.fingerprint
    assert other.fingerprint != before.fingerprint
    assert other.changed_since(before.files) == ["b.py"]


def test_files_that_change_meanwhile_make_the_result_unknown(place: Place) -> None:
    ask(place, "[ask]\nprofile='deep'\n")
    judge = f"open({str(Path(place.root, 'a.py'))!r}, 'a').write('y = 2'); print('{{}}')"
    ask(
        place,
        f"[review]\njudge='mine'\n[judges]\nmine=[{PYTHON}, '-c', {json.dumps(judge)}]",
        person=True,
    )

    assert checked(place).status == "unknown"


def test_the_job_keeps_its_result_and_what_passed(place: Place) -> None:
    ask(place, f"[ask]\nprofile='standard'\n[checks]\ntests=[{PYTHON}, '-c', '']")
    run_job(place, "r1", "s1")
    good = read_record(record_path(place))
    ask(
        place, f"[ask]\nprofile='standard'\n[checks]\ntests=[{PYTHON}, '-c', 'raise SystemExit(1)']"
    )
    for run in ("r2", "r3"):
        run_job(place, run, "s1")
        worse = read_record(record_path(place))
        assert worse.result is not None
        assert worse.result.regressions == ("tests",)  # also when it is looked at again

    assert good.result is not None
    assert good.result.status == "passed"
    assert set(good.passed) >= {"syntax", "tests"}
    assert "a.py" in good.files
    lines = Path(place.data, "spool", "paige-s1.jsonl").read_text().splitlines()
    assert [json.loads(line)["success"] for line in lines] == [True, False, False]


def test_a_record_that_cannot_be_read_is_an_empty_one(place: Place) -> None:
    path = record_path(place)
    for raw in (b"", b"{", b"[]", b'{"files": 3, "refused": {}}', b"\xff"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        assert read_record(path) == Record()
    with changing(path) as change:
        for _ in range(3):
            change.refuse("s1")
        for number in range(100):
            change.refuse(f"other-{number}")
    assert len(read_record(path).refused) == 50


JUDGE = """
import json, os, sys
asked = sys.stdin.read()
told = {"cwd": os.listdir("."), "mark": os.environ.get("PAIGE_IN_HOOK"), "asked": asked}
open(OUT, "w").write(json.dumps(told))
print(ANSWER)
"""


def judged(place: Place, tmp_path: Path, answer: str) -> tuple[Check, dict[str, Any]]:
    out = tmp_path / "told.json"
    script = JUDGE.replace("OUT", repr(str(out))).replace("ANSWER", repr(answer))
    ask(place, "[ask]\nprofile='deep'\n")
    ask(
        place,
        f"[review]\njudge='mine'\n[judges]\nmine=[{PYTHON}, '-c', {json.dumps(script)}]",
        person=True,
    )
    return by_name(checked(place))["review"], json.loads(out.read_text())


def test_a_judge_is_shut_off_marked_and_reads_the_change_as_data(
    place: Place, tmp_path: Path
) -> None:
    Path(place.root, "key.py").write_text("password = 'hunter2-hunter2'\n")
    check, seen = judged(place, tmp_path, '{"verdict": "fail", "issues": ["It leaks."]}')

    assert (check.status, check.detail) == ("failed", "It leaks.")
    assert (seen["cwd"], seen["mark"]) == ([], "1")
    assert "x = 1" in seen["asked"]
    assert "hunter2" not in seen["asked"]


@pytest.mark.parametrize(
    "answer",
    ["", "pass", "{}", '{"verdict": "maybe"}', '{"verdict": "pass", "issues": "x"}', "[1]", "{"],
)
def test_an_answer_that_is_not_in_the_asked_form_says_nothing(answer: str) -> None:
    assert verdict(answer).status == "skipped"


def test_an_answer_in_a_fence_counts() -> None:
    assert verdict('```json\n{"verdict": "pass", "issues": []}\n```').status == "passed"


def test_what_a_judge_is_shown_is_bounded(place: Place) -> None:
    Path(place.root, "big.py").write_text("x" * 100_000)
    shown = shown_files(place.root, ["big.py", "a.py"], {"most_signs": 1000, "most_files": 5})

    assert len(shown) < 1200
    assert os.environ["HOME"] == place.home
