"""What a lesson says about itself above its first section."""

import pytest

from paige.plan.lessons.text import facts_of


@pytest.mark.parametrize(
    "text",
    [
        "# T\n\n- Class: 3B\n- Date: 2026-11-20\n\n## Notes\n\n- Class: 9Z\n",
        "- **Class**: 3B\n* **Date:** 2026-11-20\n- Class: 9Z\n## Notes",
    ],
)
def test_facts_are_read_above_the_first_section_and_the_first_counts(text: str) -> None:
    assert facts_of(text) == {"Class": "3B", "Date": "2026-11-20"}


def test_a_text_that_begins_with_a_section_says_nothing() -> None:
    assert facts_of("## Notes\n- Class: 3B\n") == {}
