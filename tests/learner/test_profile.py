from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from paige.exercise.values import MODALITIES, Modality
from paige.learner.profile import DetectedPreferences, Profile, detect, dump_profile, load_profile
from paige.learner.progress import Performance, Progress
from tests.conftest import NOON

performances = st.dictionaries(
    st.sampled_from(MODALITIES),
    st.builds(Performance, st.integers(1, 6), st.floats(0, 1), st.just(NOON)),
)
concepts = st.lists(
    st.builds(lambda each: Progress(concept_id="x", modality_performance=each), performances),
    max_size=4,
)


def concept(**used: tuple[int, float]) -> Progress:
    made: dict[Modality, Performance] = {}
    for number, (name, (attempts, mean)) in enumerate(used.items()):
        made[name] = Performance(attempts, mean, NOON + timedelta(days=number))  # type: ignore[index]
    return Progress(concept_id="x", modality_performance=made)


def test_best_and_worst_need_enough_attempts_over_all_concepts() -> None:
    found = detect(
        [
            concept(worksheet=(2, 0.9), conversation=(5, 0.7)),
            concept(worksheet=(2, 0.8), long_form=(3, 0.4), code=(1, 1.0)),
        ]
    )
    assert found == DetectedPreferences("worksheet", "long_form", "conversation")


def test_one_modality_cannot_be_both_best_and_worst() -> None:
    assert detect([concept(worksheet=(5, 0.5))]) == DetectedPreferences(
        "worksheet", None, "worksheet"
    )
    alike = detect([concept(worksheet=(5, 0.5), code=(5, 0.5))])
    assert alike.lowest_performance is None
    assert alike.most_engaged == "code"


def test_nothing_done_says_nothing() -> None:
    assert detect([]) == DetectedPreferences()


@given(concepts)
def test_what_is_found_was_used_and_best_is_not_worse_than_worst(known: list[Progress]) -> None:
    found = detect(known)
    used = {name for each in known for name in each.modality_performance}
    for name in (found.highest_performance, found.lowest_performance, found.most_engaged):
        assert name is None or name in used
    if found.lowest_performance:
        assert found.lowest_performance != found.highest_performance
    assert (found.most_engaged is None) == (not used)


@given(
    st.builds(
        Profile,
        session_duration_minutes=st.integers(5, 240),
        explanation_style=st.sampled_from(["examples_first", "theory_first"]),
        preferred=st.sampled_from([(), ("code",), ("code", "worksheet")]),
        avoided=st.sampled_from([(), ("image_review",)]),
        extra=st.dictionaries(st.sampled_from(["name", "x"]), st.integers()),
        preferences_extra=st.dictionaries(st.sampled_from(["tone"]), st.text()),
    )
)
def test_a_profile_survives_json(profile: Profile) -> None:
    assert load_profile(dump_profile(profile)) == profile
