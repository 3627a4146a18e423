"""Entries at a prompt are asked for only in languages that can be run here."""

from pathlib import Path

import pytest

from paige.study.generation.material import possible
from tests.study.small_courses import read, write_course


@pytest.mark.parametrize(("language", "offered"), [("python", True), ("py", True), ("ruby", False)])
def test_a_prompt_is_offered_only_where_its_entries_can_be_run(
    tmp_path: Path, language: str, offered: bool
) -> None:
    items = [
        {
            "id": "s-repl",
            "kind": "repl",
            "prompt": "The middle of the list",
            "starter": "items = [1, 2, 3]",
            "solution": "items[1]",
            "answer": "2",
            "language": language,
        },
        {"id": "s-short", "kind": "short", "prompt": "What is in the middle?", "answer": "two"},
    ]
    config = {"title": "Middles", "domain_type": "technical"}
    concepts = [{"id": "middle", "title": "The middle"}]
    write_course(tmp_path, "middles", config, concepts, {"middle": items})

    found = possible(read(tmp_path, "middles"), "middle")

    assert ("repl" in found) is offered
    assert "conversation" in found
