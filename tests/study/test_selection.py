"""The matrix and each rule of the choice, one claim a test."""

from datetime import UTC, datetime
from typing import Any

import pytest

from paige.base.errors import BadInput
from paige.exercise.values import MODALITIES, Bloom, Domain, Modality
from paige.learner.progress import Performance
from paige.study.courses.values import Override
from paige.study.matrix import read_matrix, shipped_matrix
from paige.study.selection import Choice, RecentTry, Situation, select_modality

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
TABLE = """
Language | Remember | Vocabulary | Worksheet | Conversation
Language | Remember | Grammar rules | Worksheet | Conversation
Language | Understand | Grammar patterns | Conversation | Worksheet
Language | Understand | Cultural context | Conversation | Long-Form
Language | Apply | Sentence construction | Conversation | Worksheet
Language | Apply | Translation | Worksheet | Conversation
Language | Analyze | Text analysis | Long-Form | Conversation
Language | Evaluate | Register/style | Long-Form | Conversation
Language | Create | Free composition | Long-Form | Conversation
Language | * | Script/handwriting | Image Review | Worksheet
Technical | Remember | Terminology | Worksheet | Conversation
Technical | Remember | Syntax/APIs | Worksheet | Code
Technical | Understand | Concepts | Conversation | Long-Form
Technical | Apply | Implementation | Code | Conversation
Technical | Apply | Problem-solving | Code | Worksheet
Technical | Analyze | Code review | Long-Form | Conversation
Technical | Analyze | Architecture | Long-Form | Conversation
Technical | Evaluate | Trade-offs | Conversation | Long-Form
Technical | Create | Design/build | Code | Long-Form
Conceptual | Remember | Facts/definitions | Worksheet | Conversation
Conceptual | Understand | Concepts/models | Conversation | Long-Form
Conceptual | Apply | Case application | Long-Form | Conversation
Conceptual | Analyze | Relationships | Long-Form | Conversation
Conceptual | Evaluate | Arguments/evidence | Conversation | Long-Form
Conceptual | Create | Synthesis/proposals | Long-Form | Conversation
Interview | Remember | Knowledge recall | Conversation | Worksheet
Interview | Understand | Concept explanation | Conversation | Long-Form
Interview | Apply | Problem-solving | Conversation | Code
Interview | Analyze | System design | Long-Form | Conversation
Interview | Evaluate | Trade-off analysis | Conversation | Long-Form
"""
ROWS = [
    tuple(cell.strip().lower() for cell in line.split("|")) for line in TABLE.strip().splitlines()
]


def name(text: str) -> str:
    return text.replace("-", "_").replace(" ", "_")


def words(**given: Any) -> Choice:
    """The choice for vocabulary of a language, changed as said."""
    usual: dict[str, Any] = {
        "domain": "language",
        "bloom": "remember",
        "concept_type": "vocabulary",
    }
    return select_modality(Situation(**{**usual, **given}))


def loops(**given: Any) -> Choice:
    """The choice for an implementation, changed as said."""
    usual: dict[str, Any] = {
        "domain": "technical",
        "bloom": "apply",
        "concept_type": "implementation",
    }
    return select_modality(Situation(**{**usual, **given}))


def went(attempts: int, average: float) -> Performance:
    return Performance(attempts, average, NOON)


@pytest.mark.parametrize(("domain", "bloom", "kind", "primary", "secondary"), ROWS)
def test_every_row_of_the_matrix_gives_its_first_choice(
    domain: Domain, bloom: str, kind: str, primary: str, secondary: str
) -> None:
    level: Bloom = "apply" if bloom == "*" else bloom  # type: ignore[assignment] - of the table
    choice = select_modality(Situation(domain=domain, bloom=level, concept_type=kind))
    if name(primary) == "image_review":
        assert (choice.modality, choice.offer) == (name(secondary), "image_review")
    else:
        assert (choice.modality, choice.secondary) == (name(primary), name(secondary))
        assert choice.offer is None
    assert choice.why


def test_the_matrix_has_those_rows_and_no_others() -> None:
    shown = {
        (domain, row.bloom or "*", row.concept_type, row.primary, row.secondary)
        for domain, rows in shipped_matrix().rows.items()
        for row in rows
    }
    assert shown == {(*row[:3], name(row[3]), name(row[4])) for row in ROWS}


def test_without_a_row_the_nearest_level_of_the_domain_decides() -> None:
    assert words(bloom="apply").modality == "conversation"  # as for sentences
    assert words(concept_type="").modality == "worksheet"
    interview = Situation(domain="interview", bloom="create", concept_type="system design")
    assert select_modality(interview).modality == "conversation"  # evaluate is nearest
    assert "no rule" in select_modality(interview).why[0]


def test_a_course_overrides_the_matrix_by_concept_type_and_level() -> None:
    vocabulary = Override("conversation", "worksheet", {"apply": Override("worksheet")})
    overrides = {"vocabulary": vocabulary, "grammar": Override("conversation", "worksheet")}
    assert words(overrides=overrides).modality == "conversation"
    assert words(overrides=overrides, bloom="apply").modality == "worksheet"
    rules = words(overrides=overrides, concept_type="grammar rules")
    assert rules.modality == "conversation"
    assert words(overrides=overrides, concept_type="translation", bloom="apply").modality == (
        "worksheet"
    )


def test_an_override_that_names_one_modality_keeps_another_as_second() -> None:
    choice = words(overrides={"vocabulary": Override("conversation")})
    assert choice.modality == "conversation"
    assert choice.secondary == "worksheet"


def test_a_weight_of_nothing_takes_a_modality_out() -> None:
    choice = loops(weights={"code": 0.0, "conversation": 1.0})
    assert choice.modality == "conversation"
    assert any("never uses code" in line for line in choice.why)


def test_the_shares_of_a_course_are_kept_over_time() -> None:
    weights: dict[Modality, float] = {"code": 0.2, "conversation": 0.8}
    recent: tuple[Modality, ...] = ()
    for _ in range(40):
        recent = (*recent, loops(weights=weights, recent=recent).modality)
    assert recent.count("code") < recent.count("conversation")
    assert recent.count("code") > 4


def test_what_the_learner_prefers_comes_first_where_it_suits() -> None:
    assert words(preferred=("conversation",)).modality == "conversation"
    assert words(preferred=("flashcard",)).modality == "flashcard"
    assert words(preferred=("code",)).modality == "worksheet"


def test_what_the_learner_avoids_comes_only_when_there_is_nothing_else() -> None:
    assert words(avoided=("worksheet",)).modality != "worksheet"
    only = frozenset[Modality]({"worksheet"})
    assert words(avoided=("worksheet",), possible=only).modality == "worksheet"


def test_after_three_alike_comes_another() -> None:
    three: tuple[Modality, ...] = ("conversation",) * 3
    choice = select_modality(
        Situation(domain="technical", bloom="understand", concept_type="concepts", recent=three)
    )
    assert choice.modality == "long_form"
    assert any("last 3" in line for line in choice.why)


def test_near_the_end_only_what_is_quick() -> None:
    assert loops(minutes_left=4.9).modality == "conversation"
    assert loops(minutes_left=5.0).modality == "code"


def test_two_files_never_follow_each_other() -> None:
    for last in ("worksheet", "code", "long_form"):
        assert words(recent=("conversation", last)).modality in ("conversation", "flashcard")
        assert loops(recent=(last,)).modality in ("conversation", "collaborative")


def test_a_photo_is_offered_and_never_chosen() -> None:
    script = {"concept_type": "script/handwriting"}
    choice = words(**script, preferred=("image_review",))
    assert (choice.modality, choice.offer) == ("worksheet", "image_review")
    assert words(**script, avoided=("image_review",)).offer is None
    assert words(**script, weights={"image_review": 0.0}).offer is None
    drawn = frozenset[Modality]({"image_review", "conversation"})
    assert words(possible=drawn).offer == "image_review"
    only = words(possible=frozenset[Modality]({"image_review"}))
    assert only.modality != "image_review"


def test_reviews_are_conversations_and_vary_with_something_quick() -> None:
    assert words(purpose="review").modality == "conversation"
    assert loops(purpose="review").modality == "conversation"
    assert words(purpose="review", preferred=("worksheet",)).modality == "conversation"
    assert words(purpose="review", preferred=("flashcard",)).modality == "flashcard"
    silent = loops(purpose="review", weights={"conversation": 0.0, "repl": 0.5, "code": 0.5})
    assert silent.modality == "code"  # at this level there is nothing quick but talking


def test_something_that_became_easy_gives_way_now_and_then() -> None:
    easy = went(6, 0.9)
    assert words(performance={"worksheet": easy}).modality == "conversation"
    assert words(performance={"worksheet": went(7, 0.9)}).modality == "worksheet"  # not every time
    assert words(performance={"worksheet": went(6, 0.85)}).modality == "worksheet"
    assert words(performance={"worksheet": went(3, 1.0)}).modality == "worksheet"


def test_a_modality_that_goes_badly_gives_way() -> None:
    assert words(performance={"worksheet": went(3, 0.49)}).modality == "conversation"
    assert words(performance={"worksheet": went(3, 0.5)}).modality == "worksheet"
    assert words(performance={"worksheet": went(2, 0.1)}).modality == "worksheet"


def test_who_struggles_with_a_concept_gets_a_form_they_have_not_had() -> None:
    had = {"worksheet": went(2, 0.6), "conversation": went(1, 0.6)}
    choice = words(struggling=True, performance=had)
    assert choice.modality == "flashcard"


@pytest.mark.parametrize(
    ("first", "then"), [("worksheet", "conversation"), ("code", "conversation")]
)
def test_two_bad_ones_in_a_session_switch_to_talking(first: Modality, then: Modality) -> None:
    situation = words if first == "worksheet" else loops
    bad = (RecentTry(first, 0.4), RecentTry(first, 0.3))
    choice = situation(session=bad)
    assert (choice.modality, choice.manner) == (then, "socratic")
    assert situation(session=bad[:1]).modality == first
    assert situation(session=(RecentTry(first, 0.4), RecentTry(first, 0.5))).modality == first
    better = situation(session=(*bad, RecentTry(then, 0.9)))
    assert (better.modality, better.manner) == (first, "scaffolded")


def test_bad_conversations_in_a_session_switch_to_paper() -> None:
    bad = (RecentTry("conversation", 0.2), RecentTry("conversation", 0.0))
    choice = words(preferred=("conversation",), session=bad)
    assert choice.modality == "worksheet"


def test_flashcards_suit_words_and_the_prompt_suits_small_code() -> None:
    matrix = shipped_matrix()
    assert matrix.joins("language", "remember", "vocabulary") == ("flashcard",)
    assert "repl" in matrix.joins("technical", "remember", "syntax/apis")
    assert "repl" in matrix.joins("technical", "understand", "concepts")
    assert matrix.joins("technical", "apply", "implementation") == ("collaborative",)


def test_speaking_is_offered_and_chosen_for_who_prefers_it() -> None:
    some = frozenset[Modality]({"worksheet", "conversation", "audio"})
    spoken = {"bloom": "apply", "concept_type": "translation", "possible": some}
    assert (words(**spoken).modality, words(**spoken).offer) == ("worksheet", "audio")
    assert words(**spoken, avoided=("audio",)).offer is None
    preferred = words(**spoken, preferred=("audio",))
    assert (preferred.modality, preferred.offer) == ("audio", None)


def test_a_quiz_has_paper_for_words_code_for_code_and_talk_for_the_rest() -> None:
    matrix = shipped_matrix()
    assert matrix.quiz("language", "vocabulary") == "worksheet"
    assert matrix.quiz("technical", "terminology") == "worksheet"
    assert matrix.quiz("technical", "implementation") == "code"
    assert matrix.quiz("interview", "problem-solving") == "conversation"
    assert matrix.quiz("conceptual", "relationships") == "conversation"
    assert matrix.quiz_unit == "long_form"


def test_every_modality_stands_in_the_scale_or_is_only_offered() -> None:
    matrix = shipped_matrix()
    assert {*matrix.by_difficulty, *matrix.offered} == set(MODALITIES)


def test_a_matrix_that_cannot_be_read_says_so() -> None:
    for text in ("rows =", "[rows]\n", "[kinds]\nfile_based = []\n"):
        with pytest.raises(BadInput, match="matrix of modalities"):
            read_matrix(text)
