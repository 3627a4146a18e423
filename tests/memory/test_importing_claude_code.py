"""Importing what Claude Code remembers."""

import json
from pathlib import Path

import pytest

from paige.base.errors import NotFound
from paige.memory.event import Draft
from paige.memory.imports.claude_code import decode_project, encode_project, read_claude_code
from paige.memory.imports.detection import detect
from paige.memory.imports.sources import ImportOptions, ImportProblem


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def drafts(path: Path, options: ImportOptions | None = None) -> list[Draft]:
    return [item for item in read_claude_code(path, options) if isinstance(item, Draft)]


def problems(path: Path, options: ImportOptions | None = None) -> list[ImportProblem]:
    return [item for item in read_claude_code(path, options) if isinstance(item, ImportProblem)]


def by_text(path: Path, options: ImportOptions | None = None) -> dict[str, Draft]:
    return {draft.text: draft for draft in drafts(path, options)}


def memory_of(home: Path, project: str) -> Path:
    return home / ".claude" / "projects" / encode_project(project) / "memory"


def test_every_note_becomes_a_memory_with_its_headings_file_and_line(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/home/anna/shop")
    index = write(memory / "MEMORY.md", "# Shop\n\n## Tests\n- run `make test`\n- no mocks\n")

    found = by_text(memory)

    draft = found["Tests: run `make test`"]
    assert set(found) == {"Tests: run `make test`", "Tests: no mocks"}
    assert draft.payload["origin"]["headings"] == ["Shop", "Tests"]
    assert draft.payload["origin"]["line"] == 4
    assert draft.evidence == (f"{index}:4",)
    assert (draft.scope, draft.agent.tool) == ("project", "claude-code")
    assert draft.at is not None


def test_the_project_is_the_decoded_folder_and_the_name_is_kept(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/nowhere-else/anna/shop")
    write(memory / "MEMORY.md", "words")

    [draft] = drafts(memory.parent)

    assert draft.project == "/nowhere/else/anna/shop"
    assert draft.payload["origin"]["folder"] == "-nowhere-else-anna-shop"
    assert draft.payload["origin"]["decoded_by"] == "guess"


def test_a_session_names_the_project_exactly(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/srv/my_shop.v2")
    write(memory / "MEMORY.md", "words")
    lines = [{"type": "summary"}, {"cwd": "/srv/other"}, {"cwd": "/srv/my_shop.v2"}]
    write(memory.parent / "a1.jsonl", "\n".join(map(json.dumps, lines)) + "\n{broken")

    [draft] = drafts(memory)

    assert draft.project == "/srv/my_shop.v2"
    assert draft.payload["origin"]["decoded_by"] == "session"


def test_a_folder_on_this_machine_names_the_project(tmp_path: Path) -> None:
    (tmp_path / "anna" / "my-shop.v2").mkdir(parents=True)
    (tmp_path / "anna" / "my").mkdir()
    folder = tmp_path / "projects" / encode_project("/anna/my-shop.v2")

    assert decode_project(folder, tmp_path).path == str(tmp_path / "anna" / "my-shop.v2")


def test_two_folders_that_fit_are_a_guess(tmp_path: Path) -> None:
    (tmp_path / "a-b").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)

    assert decode_project(tmp_path / "-a-b", tmp_path).how == "guess"


def test_a_windows_project_keeps_its_drive(tmp_path: Path) -> None:
    assert decode_project(tmp_path / "C--git-shop").path == "C:/git/shop"


def test_topic_files_are_read_and_index_entries_go_to_their_memories(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    write(memory / "MEMORY.md", "- [Tests](testing.md) — how we test\n- [Gone](gone.md) — lost\n")
    front = "---\nname: testing\ntype: feedback\n---\n"
    write(memory / "testing.md", f"{front}Integration tests hit a real database.\n")

    found = by_text(memory)

    draft = found["Integration tests hit a real database."]
    assert draft.type == "preference"
    assert draft.payload["front_matter"] == {"name": "testing", "type": "feedback"}
    assert draft.payload["origin"]["listed_as"] == "[Tests](testing.md) — how we test"
    assert draft.payload["origin"]["line"] == 5
    # What points nowhere is all there is of it, so it is kept.
    assert "[Gone](gone.md) — lost" in found
    assert len(found) == 2


def test_lines_that_claude_code_does_not_load_are_taken_and_marked(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    write(memory / "MEMORY.md", "\n".join(f"- note {number}" for number in range(1, 251)))

    found = by_text(memory)
    [remark] = problems(memory)

    assert len(found) == 250
    assert "loaded" not in found["note 200"].payload["origin"]
    assert found["note 201"].payload["origin"]["loaded"] is False
    assert (remark.line, remark.lost) == (201, False)


def test_long_lines_reach_the_limit_in_bytes_first(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    write(memory / "MEMORY.md", "\n".join("- " + f"{number} " * 2000 for number in range(9)))

    assert [problem.line for problem in problems(memory)] == [7]


def test_reading_again_gives_the_same_ids_also_after_an_edit_further_up(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    index = write(memory / "MEMORY.md", "# A\n- one\n- one\n- two\n")
    before = [draft.id for draft in drafts(memory)]
    index.write_text("# A\nNew words.\n\n- zero\n- one\n- one\n- two\n")

    after = [draft.id for draft in drafts(memory)]

    assert len(set(before)) == 3
    assert after[-3:] == before


def test_the_whole_folder_of_a_person_is_read(tmp_path: Path) -> None:
    home = tmp_path
    write(home / ".claude" / "CLAUDE.md", "- what people write is left to Claude Code\n")
    write(memory_of(home, "/one") / "MEMORY.md", "- first\n")
    write(memory_of(home, "/two") / "MEMORY.md", "- second\n")

    found = by_text(home / ".claude")

    assert {text: (draft.scope, draft.project) for text, draft in found.items()} == {
        "first": ("project", "/one"),
        "second": ("project", "/two"),
    }
    for place in (home, home / ".claude" / "projects"):
        assert by_text(place).keys() == {"first", "second"}


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.md", "- the key\n")
    memory = memory_of(tmp_path, "/p")
    write(memory / "MEMORY.md", "- fine\n")
    (memory / "link.md").symlink_to(secret)

    assert by_text(memory).keys() == {"fine"}
    assert "outside" in problems(memory)[0].what
    assert by_text(memory / "link.md").keys() == {"the key"}


def test_a_file_that_is_not_text_costs_only_itself(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    write(memory / "MEMORY.md", "- good\n")
    (memory / "bad.md").write_bytes(b"fine\n\xff\xfe")
    write(memory / "empty.md", "")

    assert by_text(memory).keys() == {"good"}
    assert [problem.sentence() for problem in problems(memory)] == [
        f"{memory / 'bad.md'}:2: it is not UTF-8 text. Save the file as UTF-8.",
        f"{memory / 'empty.md'}: the file is empty. There is nothing to take over from it.",
    ]


def test_a_folder_without_memory_says_what_to_give(tmp_path: Path) -> None:
    [problem] = problems(tmp_path)

    assert "no notes of Claude Code" in problem.what
    assert "~/.claude" in problem.fix


def test_a_missing_folder_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        drafts(tmp_path / "none")


def test_the_folders_are_recognised(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    write(memory / "topic.md", "- x\n")
    for path in (memory, memory.parent, memory.parents[1], tmp_path / ".claude"):
        assert detect(path).kind == "claude-code"
    assert detect(memory).reason == f"it holds `{memory}`"
