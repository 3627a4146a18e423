"""Results survive being written and read, in either of the shapes in use."""

import json
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.exercise.result import Result, dump_result, load_result
from paige.exercise.taxonomy.names import names_of, taxonomy
from paige.exercise.values import (
    BLOOM_LEVELS,
    MODALITIES,
    ExerciseError,
    Score,
    TestOutcome,
    TestStatus,
    score_of,
)

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=20)
some = words.filter(bool)
moments = st.none() | st.integers(0, 10**9).map(lambda s: NOON + timedelta(seconds=s))
extras = st.dictionaries(st.sampled_from(["x_one", "x_two"]), st.integers() | words, max_size=2)
errors = st.builds(
    ExerciseError,
    question=words,
    error_type=st.none() | st.sampled_from(sorted(taxonomy().kinds)),
    expected=st.none() | words,
    actual=st.none() | words,
    detail=words,
    extra=extras,
)
tests = st.builds(
    TestOutcome,
    name=some,
    status=st.sampled_from(get_args(TestStatus)),
    message=words,
    points=st.floats(0, 10),
    task=st.none() | st.integers(0, 9),
    edge=st.booleans(),
)
results = st.builds(
    Result,
    exercise_id=some,
    concept_id=some,
    course=words,
    modality=st.sampled_from(MODALITIES),
    bloom_level=st.none() | st.sampled_from(BLOOM_LEVELS),
    started=moments,
    completed=moments,
    timestamp=moments,
    score=st.builds(
        Score,
        correct=st.integers(0, 50) | st.just(2.5),
        total=st.integers(1, 50),
        percentage=st.floats(0, 1),
        extra=extras,
    ),
    fsrs_rating=st.sampled_from([1, 2, 3, 4]),
    errors=st.lists(errors, max_size=3).map(tuple),
    strengths=st.lists(words, max_size=2).map(tuple),
    improvements=st.lists(words, max_size=2).map(tuple),
    hints_used=st.integers(0, 5),
    answer_shown=st.booleans(),
    time_spent_seconds=st.none() | st.integers(0, 9000),
    file_path=st.none() | words,
    message=words,
    source=st.sampled_from(["local", "model"]),
    gradable=st.booleans(),
    remarks=st.lists(words, max_size=2).map(tuple),
    tests=st.lists(tests, max_size=2).map(tuple),
    extra=extras,
    details_extra=extras,
)


@given(results)
def test_a_result_survives_json(result: Result) -> None:
    assert load_result(json.loads(json.dumps(dump_result(result)))) == result


def test_a_record_with_errors_under_details_is_read() -> None:
    loaded = load_result(
        {
            "exercise_id": "20260222T143000Z-greetings-ws",
            "concept_id": "greetings",
            "modality": "worksheet",
            "bloom_level": "remember",
            "timestamp": "2026-02-22T14:45:00Z",
            "score": {"correct": 8, "total": 10, "percentage": 0.80},
            "fsrs_rating": 3,
            "details": {
                "errors": [
                    {
                        "question": "1.3",
                        "expected": "selamat petang",
                        "actual": "selamat malam",
                        "error_type": "confusion",
                        "note": "Mixed up evening/night greetings",
                    }
                ],
                "strengths": ["Basic greetings solid"],
                "improvements": ["Review time-of-day greetings"],
            },
            "hints_used": 0,
            "time_spent_seconds": None,
        }
    )
    assert loaded.errors == (
        ExerciseError(
            "1.3",
            "vocabulary_confusion",
            "selamat petang",
            "selamat malam",
            "Mixed up evening/night greetings",
        ),
    )
    assert loaded.timestamp == datetime(2026, 2, 22, 14, 45, tzinfo=UTC)
    again = dump_result(loaded)
    assert again["errors"] == [
        {
            "question": "1.3",
            "error_type": "vocabulary_confusion",
            "expected": "selamat petang",
            "actual": "selamat malam",
            "detail": "Mixed up evening/night greetings",
            "note": "Mixed up evening/night greetings",
        }
    ]
    assert again["details"]["errors"] == again["errors"]  # type: ignore[index]


def test_a_record_with_errors_at_the_top_is_read() -> None:
    loaded = load_result(
        {
            "exercise_id": "x",
            "concept_id": "greetings",
            "modality": "worksheet",
            "bloom_level": "remember",
            "started": "2026-02-22T14:30:00Z",
            "completed": "2026-02-22T14:42:00Z",
            "score": {"correct": 8, "total": 10},
            "fsrs_rating": 3,
            "hints_used": 0,
            "errors": [{"question": "1.3", "error_type": "odd thing", "detail": "Mixed up"}],
            "file_path": "~/w.md",
            "mood": "good",
        }
    )
    assert loaded.score.percentage == 0.8
    assert loaded.errors[0].detail == "Mixed up"
    assert loaded.errors[0].error_type is None
    assert loaded.errors[0].extra == {"original_error_type": "odd thing"}
    assert dump_result(loaded)["mood"] == "good"


def test_a_name_outside_the_taxonomy_is_never_written() -> None:
    error = ExerciseError("1", "made_up", None, None, "x")
    result = Result(
        exercise_id="a",
        concept_id="b",
        modality="code",
        score=score_of(0, 1),
        errors=(error,),
    )
    assert dump_result(result)["errors"][0]["error_type"] is None  # type: ignore[index]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("fsrs_rating", 5),
        ("fsrs_rating", True),
        ("score", "8/10"),
        ("modality", "dance"),
        ("timestamp", "yesterday"),
        ("errors", "none"),
        ("exercise_id", ""),
        ("tests", [{"name": "a", "status": "maybe"}]),
    ],
)
def test_a_wrong_field_is_named(field: str, value: object) -> None:
    good = Result(exercise_id="a", concept_id="b", modality="code", score=score_of(1, 1))
    with pytest.raises(BadInput, match=str(value) if field == "modality" else field):
        load_result({**dump_result(good), field: value})


def test_every_domain_has_the_names_it_should() -> None:
    assert names_of("language") == (
        "vocabulary_confusion",
        "grammar_pattern",
        "register_mismatch",
        "spelling",
        "word_order",
        "affix_error",
        "false_friend",
    )
    assert names_of("technical") == (
        "syntax_error",
        "logic_error",
        "off_by_one",
        "wrong_data_structure",
        "missing_edge_case",
        "misconception",
        "complexity_error",
    )
    assert names_of("conceptual") == (
        "definition_error",
        "relationship_confusion",
        "overgeneralization",
        "undergeneralization",
        "causal_error",
        "correlation_causation",
    )
    assert set(names_of("interview")) == set(taxonomy().kinds)
    assert set(taxonomy().aliases.values()) <= set(taxonomy().kinds)
