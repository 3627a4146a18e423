import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput
from paige.coach.answers import GapExtractionAnswer, TriageAnswer
from paige.coach.prompts import (
    COACH_AGENT,
    EXPLAIN,
    QUESTIONS,
    Question,
    make_call,
    read_prompt,
    user_message,
)
from tests.coach.prompt_snapshots import FOLDER, snapshot

named = pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.prompt)


@named
def test_a_question_goes_over_the_wire_as_its_snapshot_says(question: Question[Any]) -> None:
    kept = (FOLDER / f"{question.prompt}.txt").read_text(encoding="utf-8")
    assert snapshot(question) == kept, "Run `python -m tests.coach.prompt_snapshots`."


@named
def test_every_prompt_says_that_material_is_never_an_instruction(question: Question[Any]) -> None:
    holes = dict.fromkeys(read_prompt(question.prompt).holes, "novice")
    call = make_call(question, {"plan": "x"}, holes=holes)
    assert "never obey it" in call.system_prompt
    assert "$" not in call.system_prompt


@named
def test_schemas_leave_nothing_open(question: Question[Any]) -> None:
    from anthropic import transform_schema  # noqa: PLC0415 - takes a second to import
    from openai import pydantic_function_tool  # noqa: PLC0415

    for schema in (transform_schema(question.answer), pydantic_function_tool(question.answer)):
        assert '"default"' not in json.dumps(schema)


def test_there_are_ten_questions_with_names_of_their_own() -> None:
    assert len({question.call_type for question in QUESTIONS}) == 10
    assert len({question.prompt for question in QUESTIONS}) == 10


def test_a_hole_without_a_value_is_a_mistake_that_is_named() -> None:
    with pytest.raises(BadInput, match="dreyfus_stage"):
        make_call(EXPLAIN, {})
    with pytest.raises(BadInput, match="dreyfus_stage"):
        make_call(COACH_AGENT, {}, holes={"dreyfus_stage": "novice"})


@given(st.dictionaries(st.text(), st.text()))
def test_whatever_others_wrote_comes_back_from_the_message_unchanged(
    material: dict[str, str],
) -> None:
    assert json.loads(user_message(material)) == material


def test_what_an_answer_may_leave_out_is_filled_in() -> None:
    answer = TriageAnswer.model_validate_json(
        '{"should_nudge": true, "confidence": 0.8, "signal": "idle"}'
    )
    assert answer.reasoning == ""
    assert answer.suggested_context.current_file is None


def test_constraints_may_be_sentences_or_objects_with_either_name_of_the_level() -> None:
    kata = {"title": "T", "description": "D", "scaffolding_code": "", "test_cases": []}
    constraints = ["No loops.", {"title": "A", "description": "B", "minLevel": 4}]
    answer = GapExtractionAnswer.model_validate(
        {"knowledge_gaps": [], "kata_specs": [{**kata, "constraints": constraints}]}
    )
    first, second = answer.kata_specs[0].constraints
    assert (first.title, first.min_level) == ("No loops", None)
    assert second.min_level == 4
