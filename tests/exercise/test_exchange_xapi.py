"""xAPI statements: the rules of the standard, and who they do not name."""

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.exercise.exchange.xapi import Who, statement, write_statements
from paige.exercise.result import Result
from paige.exercise.values import MODALITIES, ExerciseError, score_of

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
WHO = Who("7f3a91", "https://paige.example/")
RESULT = Result(
    exercise_id="20260302T120000Z-greetings-ws",
    concept_id="greetings",
    course="bahasa melayu",
    modality="worksheet",
    bloom_level="remember",
    score=score_of(8.5, 10),
    fsrs_rating=3,
    started=NOON - timedelta(minutes=4, seconds=3.5),
    completed=NOON,
    hints_used=1,
    errors=(ExerciseError("1.2", "spelling", "pagi", "pagy", "a letter"),),
    file_path="worksheets/private.md",
)
DURATION = re.compile(r"P(?=.)T(?=.)(\d+H)?(\d+M)?(\d+(\.\d{1,2})?S)?")


def is_iri(text: object) -> bool:
    parts = urlsplit(str(text))
    return bool(parts.scheme and parts.netloc) and not re.search(r"[\s<>\"{}|\\^`]", str(text))


def check(made: dict[str, object]) -> None:
    """The rules of the standard that our statements can break."""
    assert set(made) == {
        *("id", "version", "actor", "verb", "object", "result", "context", "timestamp"),
    }
    assert str(UUID(str(made["id"]))) == made["id"]
    actor, verb, thing, result, context = (
        made[name] for name in ("actor", "verb", "object", "result", "context")
    )
    assert isinstance(actor, dict)
    assert isinstance(verb, dict)
    assert isinstance(thing, dict)
    assert isinstance(result, dict)
    assert isinstance(context, dict)
    assert actor["objectType"] == "Agent"
    assert set(actor["account"]) == {"homePage", "name"}
    assert is_iri(actor["account"]["homePage"])
    assert is_iri(verb["id"])
    assert is_iri(thing["id"])
    assert is_iri(thing["definition"]["type"])
    related = context["contextActivities"]
    for extensions in (thing["definition"]["extensions"], context["extensions"]):
        assert all(is_iri(name) for name in extensions)
        assert None not in extensions.values()
    assert all(is_iri(each["id"]) for kind in related.values() for each in kind)
    moment = datetime.fromisoformat(str(made["timestamp"]))
    assert moment.utcoffset() == timedelta(0)
    if "score" in result:
        score = result["score"]
        assert -1 <= score["scaled"] <= 1
        assert score["min"] <= score["raw"] <= score["max"]
        assert score["min"] < score["max"]
    if "duration" in result:
        assert DURATION.fullmatch(result["duration"]), result["duration"]


def test_a_result_becomes_a_statement_with_all_that_is_known() -> None:
    made = statement(RESULT, WHO)
    check(made)
    assert made["verb"] == {
        "id": "http://adlnet.gov/expapi/verbs/passed",
        "display": {"en": "passed"},
    }
    assert made["timestamp"] == "2026-03-02T12:00:00.000Z"
    assert made["result"] == {
        "completion": True,
        "success": True,
        "score": {"scaled": 0.85, "raw": 8.5, "min": 0.0, "max": 10.0},
        "duration": "PT4M3.5S",
    }
    text = json.dumps(made)
    base = "https://paige.example/xapi"
    assert f"{base}/exercises/bahasa%20melayu/20260302T120000Z-greetings-ws" in text
    assert f"{base}/concepts/bahasa%20melayu/greetings" in text
    assert f"{base}/courses/bahasa%20melayu" in text
    context = made["context"]
    assert isinstance(context, dict)
    assert context["extensions"][f"{base}/extensions/rating"] == 3
    assert context["extensions"][f"{base}/extensions/error_types"] == ["spelling"]


def test_nobody_is_named() -> None:
    text = json.dumps(statement(RESULT, WHO))
    for private in ("private.md", "pagy"):
        assert private not in text
    actor = statement(RESULT, WHO)["actor"]
    assert actor == {
        "objectType": "Agent",
        "account": {"homePage": "https://paige.example", "name": "7f3a91"},
    }


@pytest.mark.parametrize(
    ("changes", "verb"),
    [
        ({}, "passed"),
        ({"score": score_of(5, 10)}, "failed"),
        ({"answer_shown": True}, "failed"),
        ({"gradable": False}, "attempted"),
        ({"score": score_of(0, 0), "modality": "long_form"}, "completed"),
        ({"modality": "flashcard"}, "answered"),
        ({"modality": "conversation", "score": score_of(0, 1)}, "answered"),
    ],
)
def test_the_verb_says_what_was_done(changes: dict[str, object], verb: str) -> None:
    made = statement(replace(RESULT, **changes), WHO)  # type: ignore[arg-type]
    check(made)
    assert made["verb"] == {"id": f"http://adlnet.gov/expapi/verbs/{verb}", "display": {"en": verb}}
    assert ("score" in json.dumps(made["result"])) == (verb not in ("attempted", "completed"))


@given(
    st.builds(
        Result,
        exercise_id=st.text(min_size=1),
        concept_id=st.text(min_size=1),
        course=st.text(),
        modality=st.sampled_from(MODALITIES),
        score=st.builds(score_of, st.floats(-5, 50), st.integers(0, 20)),
        timestamp=st.datetimes(
            min_value=datetime(1980, 1, 1),
            timezones=st.sampled_from([UTC, timezone(timedelta(hours=8))]),
        ),
        time_spent_seconds=st.none() | st.floats(-10, 1e6),
        gradable=st.booleans(),
    )
)
def test_any_result_makes_a_valid_statement_and_the_same_again(result: Result) -> None:
    made = statement(result, WHO)
    check(made)
    assert made == statement(result, WHO)
    (line,) = write_statements([result], WHO)
    assert line.count("\n") == 1
    assert json.loads(line) == json.loads(json.dumps(made))


def test_other_people_and_other_attempts_have_other_ids() -> None:
    ids = {
        str(statement(result, who)["id"])
        for result in (RESULT, replace(RESULT, completed=NOON + timedelta(seconds=1)))
        for who in (WHO, replace(WHO, token="other"))
    }
    assert len(ids) == 4


def test_results_without_a_time_are_left_out_of_a_file() -> None:
    timeless = replace(RESULT, started=None, completed=None)
    assert list(write_statements([timeless, RESULT], WHO)) == list(write_statements([RESULT], WHO))
    with pytest.raises(BadInput, match="no time"):
        statement(timeless, WHO)


@pytest.mark.parametrize(
    "who",
    [Who("", "https://x.example"), Who("t", "paige"), Who("t", "ftp://x"), Who("t", "http://a b")],
)
def test_an_actor_needs_a_token_and_an_address(who: Who) -> None:
    with pytest.raises(BadInput):
        statement(RESULT, who)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0, "PT0S"), (0.004, "PT0S"), (1.5, "PT1.5S"), (60, "PT1M"), (3661.25, "PT1H1M1.25S")],
)
def test_durations_are_written_as_the_standard_says(seconds: float, shown: str) -> None:
    result = statement(replace(RESULT, time_spent_seconds=seconds), WHO)["result"]
    assert isinstance(result, dict)
    assert result["duration"] == shown
