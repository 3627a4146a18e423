"""Importing notes of basic-memory."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.memory.event import Draft
from paige.memory.importing.basic_memory import read_basic_memory, read_content
from paige.memory.importing.detecting import detect
from paige.memory.importing.markdown import Note
from paige.memory.importing.report import Problem

COFFEE = """---
title: Coffee
type: note
tags: [brewing, drinks]
permalink: notes/coffee
created: 2026-01-02T10:00:00+01:00
---

# Coffee

Words about it, see [[Water]].

## Observations
- [method] Pour over is clearer #taste #slow
- [preference] Light roasts (from a cupping)
- no category but a #tag
- [ ] a task
- [x] a done task
- [00:01:02] a transcript
- [a link](http://example.org)
> - [quoted] not ours

```
- [code] not ours
```

## Relations
- relates_to [[Tea]]
- "goes well with" [[Cake]] (on Sundays)
"""


def read(path: Path) -> tuple[list[Draft], list[Problem]]:
    found = list(read_basic_memory(path))
    return (
        [item for item in found if isinstance(item, Draft)],
        [item for item in found if isinstance(item, Problem)],
    )


def test_every_observation_becomes_a_memory_with_category_tags_and_line(tmp_path: Path) -> None:
    file = tmp_path / "coffee.md"
    file.write_text(COFFEE)

    drafts, problems = read(tmp_path)

    assert problems == []
    assert [draft.text for draft in drafts[:-1]] == [
        "Coffee: Pour over is clearer #taste #slow",
        "Coffee: Light roasts (from a cupping)",
        "Coffee: no category but a #tag",
    ]
    first, second = drafts[:2]
    assert first.payload["category"] == "method"
    assert first.payload["tags"] == ["brewing", "drinks", "taste", "slow"]
    assert first.evidence == (f"{file}:14",)
    assert second.payload["context"] == "from a cupping"
    assert first.at is not None
    assert first.at.isoformat() == "2026-01-02T09:00:00+00:00"


def test_the_whole_note_is_one_memory_with_its_relations(tmp_path: Path) -> None:
    (tmp_path / "coffee.md").write_text(COFFEE)

    drafts, _ = read(tmp_path)

    whole = drafts[-1]
    assert whole.text.startswith("# Coffee")
    assert "Words about it" in whole.text
    assert whole.payload["of"] == [draft.id for draft in drafts[:-1]]
    assert whole.payload["relations"] == [
        {"type": "links_to", "target": "Water", "context": None},
        {"type": "relates_to", "target": "Tea", "context": None},
        {"type": "goes well with", "target": "Cake", "context": "on Sundays"},
    ]
    assert whole.payload["front_matter"]["permalink"] == "notes/coffee"


def test_reading_again_gives_the_same_ids_also_after_a_move(tmp_path: Path) -> None:
    (tmp_path / "coffee.md").write_text(COFFEE)
    before = [draft.id for draft in read(tmp_path)[0]]
    (tmp_path / "moved").mkdir()
    (tmp_path / "coffee.md").rename(tmp_path / "moved" / "beans.md")

    assert [draft.id for draft in read(tmp_path)[0]] == before
    assert len(set(before)) == len(before)


def test_broken_front_matter_is_named_and_the_note_is_still_read(tmp_path: Path) -> None:
    file = tmp_path / "tea.md"
    file.write_text("---\ntitle: Tea: green\ntags: [a\n---\n- [method] not boiling\n")

    drafts, [problem] = read(file)

    assert drafts[0].text == "tea: not boiling"
    assert drafts[0].payload["origin"]["line"] == 5
    assert problem.sentence().startswith(f"{file}:2: the front matter cannot be read")
    assert problem.fix


@pytest.mark.parametrize(("tags", "found"), [("a, b", ["a", "b"]), ("['#a', 2]", ["a", "2"])])
def test_tags_are_read_as_people_write_them(tmp_path: Path, tags: str, found: list[str]) -> None:
    (tmp_path / "n.md").write_text(f"---\ntitle: N\ntags: {tags}\n---\nwords\n")

    assert read(tmp_path)[0][0].payload["tags"] == found


def test_hidden_files_and_links_to_elsewhere_are_not_read(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / ".obsidian").mkdir(parents=True)
    (notes / ".obsidian" / "x.md").write_text("- [a] b")
    (tmp_path / "secret.md").write_text("- [a] secret")
    (notes / "link.md").symlink_to(tmp_path / "secret.md")

    drafts, [problem] = read(notes)

    assert drafts == []
    assert problem.what == "there are no notes in this folder"


def test_a_folder_of_notes_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("plain words\n")
    (tmp_path / "coffee.md").write_text(COFFEE)

    assert detect(tmp_path) == ("basic-memory", "`coffee.md`: its front matter has a `permalink`")
    assert detect(tmp_path / "coffee.md").kind == "basic-memory"


@given(st.text(max_size=200))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = read_content(Note({}, text, 1))

    assert all(observation.text for observation in found.observations)
