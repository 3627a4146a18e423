import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict, NotFound
from paige.exercise.result import Result
from paige.learner.changes import fold
from paige.learner.files import LearnerFiles, RecordedResult
from paige.learner.json_files import BrokenFile, read_object
from paige.learner.profile import DetectedPreferences, Profile
from paige.learner.progress import Progress, Thresholds
from paige.learner.schedule import LESSONS
from paige.learner.session_logs import session_name
from paige.store.documents import DirectoryDocuments, Document
from tests.conftest import NOON
from tests.depth import examples
from tests.learner.making import done, results
from tests.processes import line, python, tell

SESSION = "20260302T120000Z"
STUDY = """
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from paige.learner.files import LearnerFiles
from paige.store.documents import DirectoryDocuments
from tests.learner.making import done
folder, session, number, count = sys.argv[1:]
files = LearnerFiles(DirectoryDocuments(Path(folder)))
print("ready", flush=True)
input()
for n in range(int(count)):
    day = n + int(number) / 10
    files.record("malay", done(day=day), session=session, change_id=f"{number}-{n}",
                 now=datetime(2026, 3, 2, 12, tzinfo=UTC) + timedelta(days=day))
print("done", flush=True)
"""


@pytest.fixture
def files(tmp_path: Path) -> LearnerFiles:
    return LearnerFiles(DirectoryDocuments(tmp_path))


def record(
    files: LearnerFiles, result: Result, name: str = "c1", session: str = SESSION
) -> RecordedResult:
    at = result.completed or NOON
    return files.record("malay", result, session=session, change_id=name, now=at)


def progress_of(tmp_path: Path) -> dict:
    return json.loads((tmp_path / "learner/malay/progress.json").read_text())


def test_a_result_goes_to_the_log_of_its_session_and_moves_progress(
    files: LearnerFiles, tmp_path: Path
) -> None:
    recorded = record(files, done())
    log = json.loads((tmp_path / f"learner/malay/sessions/{SESSION}.json").read_text())
    assert list(log) == ["course", "started", "ended", "exercises"]
    (entry,) = log["exercises"]
    assert entry["exercise_id"] == "20260302T120000Z-greetings-ws"
    assert entry["score"] == {"correct": 9, "total": 10, "percentage": 0.9}
    assert entry["started"] == "2026-03-02T11:48:00Z"
    assert recorded.progress.status == "review"
    assert files.courses() == ["malay"]
    assert files.evidence("malay") == {"c1": recorded.evidence}


def test_progress_has_the_shape_that_others_know(files: LearnerFiles, tmp_path: Path) -> None:
    for n in range(3):
        record(files, done(correct=8, day=n), f"c{n}")
    entry = progress_of(tmp_path)["concepts"]["greetings"]
    assert list(entry)[:5] == [
        *("concept_id", "status", "bloom_level", "mastery_score", "modality_performance"),
    ]
    assert entry["modality_performance"] == {
        "worksheet": {"attempts": 3, "avg_score": 0.8, "last_used": "2026-03-04T12:00:00Z"},
        "conversation": None,
        "code": None,
        "long_form": None,
        "image_review": None,
    }
    assert (entry["status"], entry["bloom_level"]) == ("mastered", "remember")


@settings(max_examples=examples(20))
@given(work=st.lists(results(), min_size=1, max_size=6), balance=st.booleans())
def test_what_is_stored_is_the_fold_of_all_results(
    tmp_path_factory: pytest.TempPathFactory, work: list[Result], balance: bool
) -> None:
    rules = Thresholds(scheduling=replace(LESSONS, balance=balance))
    folder = tmp_path_factory.mktemp("teaching")
    files = LearnerFiles(DirectoryDocuments(folder), rules)
    for n, result in enumerate(work):
        record(files, result, f"c{n}", session=f"s{n % 2}")
    stored = files.read("malay")
    assert stored.progress == fold(files.changes("malay"), rules).progress
    (folder / "learner/malay/progress.json").unlink()
    assert LearnerFiles(DirectoryDocuments(folder), rules).read("malay").progress == stored.progress


def test_taking_back_a_result_gives_what_was_there_before(
    files: LearnerFiles, tmp_path: Path
) -> None:
    record(files, done(), "c1")
    before = progress_of(tmp_path)["concepts"]
    record(files, done(rating=1, correct=1, day=4), "c2")
    state = files.undo("malay", "c2", new_id="u1", now=NOON, reason="wrong pupil")
    assert progress_of(tmp_path)["concepts"] == before
    assert state.progress["greetings"].unaided_successes == 1
    assert len(files.changes("malay")) == 3
    log = json.loads((tmp_path / f"learner/malay/sessions/{SESSION}.json").read_text())
    assert [each["undoes"] for each in log["undone"]] == ["c2"]
    assert len(log["exercises"]) == 2
    with pytest.raises(Conflict):
        files.undo("malay", "c2", new_id="u2", now=NOON)
    with pytest.raises(NotFound):
        files.undo("malay", "c9", new_id="u2", now=NOON)


@pytest.mark.parametrize("same_session", [True, False])
def test_two_processes_that_study_at_once_lose_no_result(
    tmp_path: Path, same_session: bool
) -> None:
    one, other = SESSION, SESSION if same_session else "20260302T120500Z"
    count = 12
    with (
        python(STUDY, tmp_path, one, 1, count) as first,
        python(STUDY, tmp_path, other, 2, count) as second,
    ):
        assert [line(first), line(second)] == ["ready", "ready"]
        tell(first)
        tell(second)
        assert [line(first), line(second)] == ["done", "done"]
    files = LearnerFiles(DirectoryDocuments(tmp_path))
    state, changes = files.read("malay"), files.changes("malay")
    assert len(changes) == 2 * count
    assert state.problems == ()
    entry = progress_of(tmp_path)["concepts"]["greetings"]
    assert entry["modality_performance"]["worksheet"]["attempts"] == 2 * count
    assert entry["fsrs_card"]["reps"] == 2 * count
    assert state.progress == fold(changes, Thresholds()).progress


BROKEN = [
    ('{\n  "course": "malay"\n  "exercises": []\n}', 3, "comma"),
    ('{\n  "exercises": [],\n}', 3, "comma"),
    ("{\n  'exercises': []\n}", 2, "double quotes"),
    ('{\n  "ended": None\n}', 2, "null"),
    ('{\n  "a": 1,\n  "a": 2\n}', 3, "Keep one"),
    ('{\n<<<<<<< mine\n  "a": 1\n}', 2, "Repair"),
    ("[]", 1, "Begin"),
    ('{\n  "a": NaN\n}', 2, "null"),
    ("", 1, "Delete"),
    ('{"a": 1}\n}', 2, "after its end"),
    ('{\n  "exercises": 5\n}', 2, ""),
]


@pytest.mark.parametrize(("text", "at", "fix"), BROKEN)
def test_a_broken_log_is_told_with_its_line_and_nothing_is_lost(
    files: LearnerFiles, tmp_path: Path, text: str, at: int, fix: str
) -> None:
    record(files, done(), "c1", session="earlier")
    known = progress_of(tmp_path)["concepts"]
    log = tmp_path / "learner/malay/sessions/earlier.json"
    good = log.read_text()
    log.write_text(text)
    (problem,) = files.read("malay").problems
    assert (problem.file, problem.line) == ("learner/malay/sessions/earlier.json", at)
    assert fix in problem.fix
    recorded = record(files, done(day=2), "c2", session="earlier")
    assert recorded.problems == (problem,)
    assert log.read_text() == text
    assert (log.parent / "earlier-2.json").exists()
    assert files.read("malay").progress["greetings"] == recorded.progress
    reps = progress_of(tmp_path)["concepts"]["greetings"]["fsrs_card"]["reps"]
    assert reps == known["greetings"]["fsrs_card"]["reps"] + 1
    log.write_text(good)
    repaired = files.rebuild("malay", now=NOON)
    assert repaired.problems == ()
    changes = files.changes("malay")
    assert repaired.progress == fold(changes, Thresholds()).progress
    assert len(changes) == 2


def test_a_broken_progress_file_stays_as_it_is_and_the_result_is_kept(
    files: LearnerFiles, tmp_path: Path
) -> None:
    record(files, done(), "c1")
    path = tmp_path / "learner/malay/progress.json"
    path.write_text('{\n  "concepts": {\n    "greetings": {"status": "clever"}\n  }\n}')
    recorded = record(files, done(day=2), "c2")
    (problem,) = recorded.problems
    assert (problem.file, problem.line) == ("learner/malay/progress.json", 3)
    assert "`status` should be one of new, learning" in problem.message
    assert "clever" in path.read_text()
    assert recorded.progress.unaided_successes == 2
    path.unlink()
    assert files.rebuild("malay", now=NOON).progress["greetings"] == recorded.progress


def test_bytes_that_are_no_text_are_told_too(files: LearnerFiles, tmp_path: Path) -> None:
    record(files, done(), "c1", session="a")
    (tmp_path / "learner/malay/sessions/b.json").write_bytes(b"\xff\xfe{")
    (tmp_path / "learner/malay/progress.json").write_bytes(b"\n\xff")
    state = files.read("malay")
    assert [problem.file.rpartition("/")[2] for problem in state.problems] == [
        *("b.json", "progress.json"),
    ]
    assert state.progress["greetings"].unaided_successes == 1


def test_one_record_that_cannot_be_read_does_not_hide_the_others(
    files: LearnerFiles, tmp_path: Path
) -> None:
    record(files, done(), "c1")
    log = tmp_path / f"learner/malay/sessions/{SESSION}.json"
    text = log.read_text().replace('"fsrs_rating": 3', '"fsrs_rating": 9')
    log.write_text(text)
    recorded = record(files, done(day=1), "c2")
    (problem,) = recorded.problems
    assert text.splitlines()[problem.line - 1].strip().startswith('"fsrs_rating"')
    assert "1, 2, 3 or 4" in problem.message
    assert len(files.changes("malay")) == 1
    assert files.read("malay").problems == (problem,)
    assert len(json.loads(log.read_text())["exercises"]) == 2


def test_fields_nobody_knows_survive_everywhere(files: LearnerFiles, tmp_path: Path) -> None:
    record(files, done(), "c1")
    log = tmp_path / f"learner/malay/sessions/{SESSION}.json"
    raw = json.loads(log.read_text())
    raw["mood"] = "good"
    raw["exercises"][0]["room"] = 7
    log.write_text(json.dumps(raw))
    path = tmp_path / "learner/malay/progress.json"
    raw = progress_of(tmp_path)
    raw["theme"] = "dark"
    raw["concepts"]["greetings"]["note"] = "with grandma"
    raw["concepts"]["greetings"]["modality_performance"]["worksheet"]["pen"] = "blue"
    raw["concepts"]["greetings"]["modality_performance"]["theatre"] = {"attempts": 3}
    path.write_text(json.dumps(raw))
    record(files, done(day=1), "c2")
    record(files, done(day=2), "c3")
    assert json.loads(log.read_text())["mood"] == "good"
    assert json.loads(log.read_text())["exercises"][0]["room"] == 7
    stored = progress_of(tmp_path)
    entry = stored["concepts"]["greetings"]
    assert (stored["theme"], entry["note"]) == ("dark", "with grandma")
    assert entry["modality_performance"]["worksheet"]["pen"] == "blue"
    assert entry["modality_performance"]["worksheet"]["attempts"] == 3
    assert entry["modality_performance"]["theatre"] == {"attempts": 3}


def test_numbers_changed_by_hand_are_worked_out_again_from_the_logs(
    files: LearnerFiles, tmp_path: Path
) -> None:
    expected = record(files, done(), "c1").progress
    path = tmp_path / "learner/malay/progress.json"
    path.write_text(path.read_text().replace('"status": "review"', '"status": "mastered"'))
    assert files.read("malay").progress == {"greetings": expected}


def test_progress_from_elsewhere_is_where_a_concept_starts(
    files: LearnerFiles, tmp_path: Path
) -> None:
    path = tmp_path / "learner/malay/progress.json"
    path.parent.mkdir(parents=True)
    brought = {
        "concept_id": "numbers",
        "status": "learning",
        "bloom_level": "apply",
        "mastery_score": 0.65,
        "modality_performance": {
            "worksheet": {"attempts": 3, "avg_score": 0.8, "last_used": "2026-02-20T10:00:00Z"},
            "code": None,
        },
        "own": [1],
    }
    path.write_text(json.dumps({"concepts": {"numbers": brought}}))
    record(files, done(), "c1")
    stored = progress_of(tmp_path)["concepts"]["numbers"]
    assert {name: stored[name] for name in ("status", "mastery_score", "own")} == {
        "status": "learning",
        "mastery_score": 0.65,
        "own": [1],
    }
    recorded = record(files, done(concept="numbers", correct=10, day=1), "c2")
    assert recorded.progress.modality_performance["worksheet"].attempts == 4
    assert recorded.progress.bloom_level == "apply"
    (tmp_path / "learner/malay/sessions" / f"{SESSION}.json").touch()
    assert files.rebuild("malay", now=NOON).progress["numbers"].exercise_history
    back = files.undo("malay", "c2", new_id="u", now=NOON)
    assert back.progress["numbers"].modality_performance["worksheet"].attempts == 3


def test_logs_of_other_programs_count_and_can_be_taken_back(
    files: LearnerFiles, tmp_path: Path
) -> None:
    log = tmp_path / "learner/malay/sessions/20260222T143000Z.json"
    log.parent.mkdir(parents=True)
    theirs = {
        "exercise_id": "20260222T143000Z-greetings-ws",
        "concept_id": "greetings",
        "modality": "worksheet",
        "bloom_level": "remember",
        "started": "2026-02-22T14:30:00Z",
        "completed": "2026-02-22T14:42:00Z",
        "score": {"correct": 8, "total": 10, "percentage": 0.80},
        "fsrs_rating": 3,
        "hints_used": 0,
        "errors": [{"question": "1.3", "error_type": "confusion", "detail": "Mixed up"}],
        "file_path": "~/x.md",
    }
    timeless = {k: v for k, v in theirs.items() if k not in ("started", "completed")}
    log.write_text(json.dumps({"exercises": [theirs, timeless, timeless]}))
    state = files.read("malay")
    assert state.progress["greetings"].unaided_successes == 3
    changes = files.changes("malay")
    assert [change.at.isoformat()[:16] for change in changes] == [
        *("2026-02-22T14:42", "2026-02-22T14:30", "2026-02-22T14:30"),
    ]
    state = files.undo("malay", changes[0].id, new_id="u", now=NOON)
    assert state.progress["greetings"].unaided_successes == 2


def test_other_rules_make_progress_again(files: LearnerFiles, tmp_path: Path) -> None:
    for n in range(3):
        record(files, done(day=n), f"c{n}")
    strict = LearnerFiles(DirectoryDocuments(tmp_path), Thresholds(successes=5))
    assert files.read("malay").progress["greetings"].status == "mastered"
    assert strict.read("malay").progress["greetings"].status == "review"


def test_a_large_course_keeps_within_the_size_of_a_document(
    files: LearnerFiles, tmp_path: Path
) -> None:
    concepts = {
        f"word-{n}": {
            "concept_id": f"word-{n}",
            "exercise_history": [
                {"at": "2026-02-20T10:00:00Z", "exercise_id": "x" * 300, "modality": "flashcard",
                 "score": 1, "fsrs_rating": 3, "unaided": True}
            ] * 6,
        }
        for n in range(4000)
    }  # fmt: skip
    path = tmp_path / "learner/malay/progress.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"concepts": concepts}))
    assert record(files, done(), "c1").problems == ()
    assert path.stat().st_size < 8 * 2**20
    assert record(files, done(day=1), "c2").progress.unaided_successes == 2
    assert len(files.read("malay").progress) == 4001


def test_a_session_can_be_ended_and_its_name_is_its_beginning(
    files: LearnerFiles, tmp_path: Path
) -> None:
    name = session_name(NOON)
    record(files, done(), "c1", session=name)
    files.end_session("malay", name, now=NOON + timedelta(minutes=25))
    log = json.loads((tmp_path / f"learner/malay/sessions/{name}.json").read_text())
    assert (name, log["ended"]) == (SESSION, "2026-03-02T12:25:00Z")


@pytest.mark.parametrize("name", ["..", "a/b", ".hidden", "", "_", "a" * 101])
def test_names_that_lead_elsewhere_are_refused(files: LearnerFiles, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name"):
        files.read(name)


def test_a_course_nobody_began_is_empty(files: LearnerFiles) -> None:
    state = files.read("malay")
    assert (state.progress, state.problems) == ({}, ())
    assert files.changes("malay") == ()


PROFILE = {
    "learning_preferences": {
        "session_duration_minutes": 25,
        "explanation_style": "examples_first",
        "modality_preferences": {
            "preferred": ["conversation", "code"],
            "avoided": ["image_review"],
            "auto_detected": {
                "highest_performance": "worksheet",
                "lowest_performance": "long_form",
                "most_engaged": "conversation",
            },
        },
    }
}


def test_the_profile_is_read_and_written_as_it_is_known(
    files: LearnerFiles, tmp_path: Path
) -> None:
    assert files.profile() == Profile()
    path = tmp_path / "learner/profile.json"
    path.parent.mkdir()
    path.write_text(json.dumps({**PROFILE, "name": "Aisyah"}))
    found = DetectedPreferences(most_engaged="code")
    files.update_profile(lambda profile: replace(profile, auto_detected=found))
    written = json.loads(path.read_text())
    assert written["name"] == "Aisyah"
    expected = json.loads(json.dumps(PROFILE))
    expected["learning_preferences"]["modality_preferences"]["auto_detected"] = {
        "highest_performance": None,
        "lowest_performance": None,
        "most_engaged": "code",
    }
    assert written == {**expected, "name": "Aisyah"}


def test_a_profile_changed_meanwhile_keeps_both_changes(
    files: LearnerFiles, tmp_path: Path
) -> None:
    other = LearnerFiles(DirectoryDocuments(tmp_path))
    calls = []

    def change(profile: Profile) -> Profile:
        if not calls:
            other.update_profile(lambda each: replace(each, preferred=("code",)))
        calls.append(1)
        return replace(profile, session_duration_minutes=40)

    profile = files.update_profile(change)
    assert (profile.preferred, profile.session_duration_minutes) == (("code",), 40)
    assert len(calls) == 2


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("session_duration_minutes", "long", "should be a number"),
        ("session_duration_minutes", 1, "is 1"),
        ("modality_preferences", {"preferred": ["dancing"]}, "dancing"),
        ("modality_preferences", {"preferred": ["code"], "avoided": ["code"]}, "both"),
    ],
)
def test_a_profile_edited_wrongly_is_told_with_its_line_and_kept(
    files: LearnerFiles, tmp_path: Path, key: str, value: object, said: str
) -> None:
    path = tmp_path / "learner/profile.json"
    path.parent.mkdir()
    text = json.dumps({"learning_preferences": {key: value}}, indent=2)
    path.write_text(text)
    with pytest.raises(BrokenFile, match=said) as caught:
        files.update_profile(lambda profile: profile)
    assert caught.value.message.startswith("learner/profile.json:")
    assert path.read_text() == text


def test_nesting_without_end_is_told(tmp_path: Path) -> None:
    with pytest.raises(BrokenFile):
        read_object("x.json", "[" * 200_000)


def test_progress_of_a_new_concept_is_new(files: LearnerFiles) -> None:
    record(files, done(gradable=False), "c1")
    assert files.read("malay").progress == {"greetings": Progress(concept_id="greetings")}


def test_numbers_only_python_knows_survive_in_fields_of_others(
    files: LearnerFiles, tmp_path: Path
) -> None:
    record(files, done(), "c1")
    path = tmp_path / "learner/malay/progress.json"
    raw = progress_of(tmp_path)
    raw["huge"], raw["half"] = 2**80 + 1, "\ud800"
    path.write_text(json.dumps(raw))
    record(files, done(day=1), "c2")
    record(files, done(day=2), "c3")
    stored = progress_of(tmp_path)
    assert (stored["huge"], stored["half"]) == (2**80 + 1, "\ud800")


def test_a_number_of_thousands_of_digits_is_a_problem_with_its_file() -> None:
    with pytest.raises(BrokenFile, match="far too long"):
        read_object("profile.json", '{"a": ' + "9" * 5000 + "}")


def test_what_did_not_change_is_not_read_again(
    files: LearnerFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        record(files, done(day=number), f"c{number}", session=f"s{number}")
    monkeypatch.setattr("paige.base.file_cache._TICK", -(10**10))  # as if it were long ago
    known = files.read("malay")
    opened: list[str] = []
    read = DirectoryDocuments.read

    def counted(documents: DirectoryDocuments, path: str) -> Document:
        opened.append(path)
        return read(documents, path)

    monkeypatch.setattr(DirectoryDocuments, "read", counted)
    assert files.read("malay") == known
    assert opened == []
    record(files, done(day=3), "c3", session="s3")
    opened.clear()
    assert files.read("malay") != known
    assert opened == ["learner/malay/progress.json"]
