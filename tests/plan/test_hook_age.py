"""`age-appropriate`: topics by age, reading age by class, the form of a lesson; it fails closed."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.models.local import LOCAL
from paige.plan.class_fit import (
    care_lines,
    find_topics,
    judge_fit,
    prose,
    reading_of,
    shipped_topics,
)
from paige.plan.classes import read_class
from paige.plan.hooks.checks import RETURNED
from paige.plan.lessons.sections import replace_section
from tests.plan.planning import CLASS_3B, lesson_text, planning

ONLY = ("age-appropriate",)
PROFILE = read_class(CLASS_3B, "classes/3B.md")
EASY = "A loop does a job again and again. You write it once. It stops when it is done. "
HARD = (
    "Iteration constitutes a fundamental computational mechanism whereby procedural instructions "
    "are systematically re-executed contingent upon predetermined conditional specifications. "
)


def with_explanation(text: str) -> str:
    """The lesson with another text in its learning cycle."""
    cycle = f"## Learning cycle 1: Reading a loop (40 min)\n\n### Explanation\n\n{text}\n"
    rest = lesson_text().split("### Worked example")[1].split("## Exit check")[0]
    return replace_section(lesson_text(), "learning-cycle-1", f"{cycle}\n### Worked example{rest}")


# --- reading --------------------------------------------------------------------------------------


def test_plain_sentences_are_for_the_young_and_long_words_are_not() -> None:
    easy, hard = reading_of(EASY * 10).age, reading_of(HARD * 10).age

    assert easy is not None
    assert easy < 9
    assert hard is not None
    assert hard > 20


def test_too_little_text_has_no_reading_age() -> None:
    assert reading_of("A loop repeats.").age is None


def test_the_formula_is_that_of_coleman_and_liau() -> None:
    # 100 words of 5 letters in 5 sentences: 0.0588 * 500 - 0.296 * 5 - 15.8 = 12.12, plus 5.
    text = ((("abcde " * 20).strip() + ". ") * 5).strip()

    assert reading_of(text).age == 17.1


def test_code_links_tables_and_headings_are_not_read_as_sentences() -> None:
    text = (
        "# Heading\n```python\nfor extraordinarily in incomprehensibilities: pass\n```\n"
        "| a | b |\n- [ ] one `constitution` [two](http://x.y)\n"
    )

    assert prose(text).split() == ["one", "two"]


def test_words_that_a_lesson_explains_do_not_make_it_harder() -> None:
    text = "The concatenation is a concatenation of parts. " * 20

    plain, known = reading_of(text).age, reading_of(text, ["concatenation"]).age

    assert plain is not None
    assert known is not None
    assert known < plain - 5


@given(text=st.text())
def test_any_text_can_be_measured(text: str) -> None:
    counted = reading_of(text, ["loop"])

    assert counted.letters >= 0
    assert counted.sentences <= max(counted.words, 0)


# --- topics ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("a fork bomb kills the process", []),
        ("Al Gore lost the election", []),
        ("how to make\na bomb", ["weapons"]),
        ("the slave trade and the Blitz", ["slavery", "war"]),
        ("Romeo kills himself", ["suicide"]),
        ("reduce, reuse, recycle", []),
        ("the grape harvest", []),
    ],
)
def test_topics_are_found_by_words_and_not_inside_other_words(text: str, topics: list[str]) -> None:
    assert [each.topic.id for each in find_topics(text)] == topics


def test_a_mention_has_its_line() -> None:
    [mention] = find_topics("one\ntwo\nthree suicide")

    assert (mention.words, mention.line) == ("suicide", 3)


def test_every_shipped_topic_can_be_found_by_its_own_words_and_has_a_limit_or_care() -> None:
    for topic in shipped_topics():
        assert topic.from_age > 0 or topic.care, topic.id


# --- judging --------------------------------------------------------------------------------------


def test_a_good_lesson_fits() -> None:
    fit = judge_fit(lesson_text(), "lesson", PROFILE)

    assert (fit.faults, fit.flaws, fit.topics) == ((), (), ())


def test_what_a_class_is_too_young_for_is_a_fault_with_line_and_year() -> None:
    fit = judge_fit(with_explanation("Hamlet thinks of suicide."), "lesson", PROFILE)
    older = judge_fit(
        with_explanation("Hamlet thinks of suicide."), "lesson", replace(PROFILE, year="S5")
    )

    [fault] = fit.faults
    assert (
        "`suicide` is about suicide or self-harm, which is for ages from 14, not for 3B (S3)"
        in (fault)
    )
    assert older.faults == ()
    assert "pastoral staff" in care_lines(older.topics)[0]


def test_what_has_no_place_in_a_lesson_is_a_fault_at_any_age() -> None:
    fit = judge_fit(with_explanation("Now make a bomb."), "lesson", replace(PROFILE, year="S6"))

    assert "has no place in a lesson" in fit.faults[0]


def test_without_a_class_the_youngest_of_a_secondary_school_is_meant() -> None:
    assert judge_fit(with_explanation("About suicide."), "lesson", None).faults
    assert judge_fit(with_explanation("About slavery."), "lesson", None).faults == ()


def test_what_half_the_class_could_not_read_is_a_fault_and_names_the_section() -> None:
    fit = judge_fit(with_explanation(HARD * 12), "lesson", PROFILE)
    easy = judge_fit(with_explanation(EASY * 12), "lesson", PROFILE)

    [fault] = fit.faults
    assert "3B reads at 12" in fault
    assert "`Learning cycle 1: Reading a loop (40 min)`" in fault
    assert (easy.faults, easy.flaws) == ((), ())


def test_a_lesson_without_a_heading_has_failed_and_another_document_has_not() -> None:
    broken = lesson_text().replace("## Exit check (5 min)", "### Exit check")

    assert judge_fit(broken, "lesson", PROFILE).faults == (
        "The section `## Exit check (N min)` is missing",
    )
    assert judge_fit(broken, "document", PROFILE).faults == ()
    assert judge_fit("", "document", PROFILE).faults == ("The answer is empty",)


def test_a_worksheet_without_its_key_has_failed() -> None:
    assert judge_fit("<!-- WORKSHEET -->\n## One\n1. ___\n", "worksheet", PROFILE).faults == (
        "The worksheet has no answer key",
    )


@given(text=st.text(), product=st.sampled_from(["lesson", "document", "worksheet"]))
def test_any_text_can_be_judged(text: str, product) -> None:
    fit = judge_fit(text, product, PROFILE)

    assert all(fault.strip() for fault in fit.faults)


# --- the hook -------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_a_fault_goes_back_to_the_model_and_a_mended_lesson_passes(tmp_path: Path) -> None:
    bad = with_explanation("Hamlet thinks of suicide.")
    with planning(tmp_path, [bad, lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()
        spans = plan.spans(state)

    said = plan.model.requests[1].messages[-1].text
    assert said.startswith(f"{RETURNED} `age-appropriate`: mend this")
    assert "suicide" in said
    assert (state.run.status, state.run.output) == ("success", lesson_text())
    assert spans["age-appropriate"]["reading_age"] is None
    assert spans["age-appropriate"]["outcome"] == "pass"


@pytest.mark.anyio
async def test_after_two_returns_the_run_ends_with_the_reasons(tmp_path: Path) -> None:
    bad = with_explanation("Hamlet thinks of suicide.")
    with planning(tmp_path, [bad] * 3, hooks=ONLY) as plan:
        state = await plan.start()
        span = plan.spans(state)["age-appropriate"]

    assert len(plan.model.requests) == 3
    assert state.run.status == "error_hook_abort"
    assert "is for ages from 14" in (state.run.reason or "")
    assert (state.run.output, plan.saved()) == ("", {})
    assert span["outcome"] == "abort"
    assert len(span["faults"]) == 1


@pytest.mark.anyio
async def test_local_rules_get_no_second_try(tmp_path: Path) -> None:
    bad = with_explanation("Hamlet thinks of suicide.")
    with planning(tmp_path, [bad], hooks=ONLY, name=LOCAL) as plan:
        state = await plan.start()

    assert len(plan.model.requests) == 1
    assert state.run.status == "error_hook_abort"


@pytest.mark.anyio
async def test_a_flaw_goes_back_once_and_never_ends_a_run(tmp_path: Path) -> None:
    flawed = lesson_text(key_points=("Only one.",))
    with planning(tmp_path, [flawed] * 2, hooks=ONLY) as plan:
        state = await plan.start()
        span = plan.spans(state)["age-appropriate"]
    with planning(tmp_path / "local", [flawed], hooks=ONLY, name=LOCAL) as local:
        at_once = await local.start()

    assert len(plan.model.requests) == 2
    assert (state.run.status, at_once.run.status) == ("success", "success")
    assert "key learning points" in span["flaws"][0]


@pytest.mark.anyio
async def test_nobody_is_asked_about_a_lesson_that_goes_back(tmp_path: Path) -> None:
    bad = with_explanation("Hamlet thinks of suicide.")
    hooks = ("age-appropriate", "curriculum-evidence", "reflection-prompt", "teacher-adjudication")
    with planning(tmp_path, [bad, lesson_text()], hooks=hooks) as plan:
        state = await plan.start()

    assert len(plan.model.requests) == 2
    assert "suicide" not in state.gates[0].interaction.text
    assert state.gates[0].row.gate == "t2/hook/post_loop/reflection-prompt/1"


@pytest.mark.anyio
async def test_faults_of_both_checks_go_back_together_and_count_as_one_return(
    tmp_path: Path,
) -> None:
    bad = with_explanation("Hamlet thinks of suicide.").replace("#L9-L9", "#L900-L900")
    hooks = ("age-appropriate", "curriculum-evidence")
    with planning(tmp_path, [bad, bad, bad], hooks=hooks) as plan:
        state = await plan.start()

    said = plan.model.requests[1].messages[-1].text
    assert "`age-appropriate`" in said
    assert "`curriculum-evidence`" in said
    assert len(plan.model.requests) == 3
    assert state.run.status == "error_hook_abort"


@pytest.mark.anyio
async def test_a_check_that_crashes_lets_nothing_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(*_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("paige.plan.hooks.checks.judge_fit", crash)
    with planning(tmp_path, [lesson_text()], hooks=ONLY) as plan:
        state = await plan.start()

    assert state.run.status == "error_hook_abort"
    assert "ZeroDivisionError" in (state.run.reason or "")
