"""Every pointer of the shipped curriculum holds, and none of its small changes does."""

from collections import Counter

import pytest

from bench.evidence import KINDS, Change, mutants, written
from paige.plan.evidence import check
from tests.plan.curricula import shipped_library


def test_every_shipped_outcome_can_be_cited_with_its_edition_level_and_grade() -> None:
    library = shipped_library()
    assert len(library.outcomes) > 120
    for each in library.outcomes:
        level = f", {each.level} level" if each.level in ("Second", "Third", "Fourth") else ""
        said = f" (edition {each.edition}{level}, grade {each.grade})"
        report = check(written(each, Change(after=said)), library)
        assert report.faults == (), each.code
        assert report.pointers[0].grade == each.grade
        assert check(f"{each.citation}\n", library).ok


def test_any_few_words_of_an_outcome_can_be_quoted() -> None:
    library = shipped_library()
    for each in library.outcomes:
        words = each.quote.split()
        for at in range(0, len(words) - 3, 3):
            report = check(written(each, Change(quote=" ".join(words[at : at + 4]))), library)
            assert report.faults == (), words[at : at + 4]


@pytest.mark.parametrize("kind", KINDS)
def test_every_changed_pointer_is_refused_with_a_reason(kind: str) -> None:
    library = shipped_library()
    changed = [each for each in mutants(library) if each.kind == kind]
    assert len(changed) >= 100
    for each in changed:
        report = check(each.text, library)
        assert not report.ok, each.text
        (reason,) = report.faults
        assert reason.startswith("Line 1: ")
        assert len(reason.split()) > 5


def test_there_are_enough_changed_pointers_of_every_kind() -> None:
    counted = Counter(each.kind for each in mutants(shipped_library()))
    assert set(counted) == set(KINDS)
    assert sum(counted.values()) > 2_000
