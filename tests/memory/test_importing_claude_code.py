"""Importing what Claude Code remembers."""

import json
from pathlib import Path

import pytest

from paige.base.errors import NotFound
from paige.memory.event import Draft
from paige.memory.importing.claude_code import read_claude_code
from paige.memory.importing.claude_layout import decode_project, encode_project
from paige.memory.importing.detecting import detect
from paige.memory.importing.report import Problem
from paige.memory.importing.sources import ImportOptions


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def drafts(path: Path, options: ImportOptions | None = None) -> list[Draft]:
    return [item for item in read_claude_code(path, options) if isinstance(item, Draft)]


def problems(path: Path, options: ImportOptions | None = None) -> list[Problem]:
    return [item for item in read_claude_code(path, options) if isinstance(item, Problem)]


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
    write(home / ".claude" / "CLAUDE.md", "- answer in short sentences\n")
    write(home / ".claude" / "rules" / "git.md", "- small commits\n")
    write(memory_of(home, "/one") / "MEMORY.md", "- first\n")
    write(memory_of(home, "/two") / "MEMORY.md", "- second\n")

    found = by_text(home / ".claude", ImportOptions(home=home))

    assert {text: (draft.scope, draft.project) for text, draft in found.items()} == {
        "answer in short sentences": ("learner", None),
        "small commits": ("learner", None),
        "first": ("project", "/one"),
        "second": ("project", "/two"),
    }
    assert by_text(home / ".claude" / "projects").keys() == {"first", "second"}


def test_the_files_of_a_project_are_found_and_private_ones_stay_private(tmp_path: Path) -> None:
    write(tmp_path / "CLAUDE.md", "- shared\n")
    write(tmp_path / "CLAUDE.local.md", "- mine\n")
    write(tmp_path / ".claude" / "rules" / "go.md", "- tabs\n")
    write(tmp_path / "web" / "CLAUDE.md", "- below\n")
    write(tmp_path / "node_modules" / "x" / "CLAUDE.md", "- not ours\n")

    found = by_text(tmp_path, ImportOptions(name_project=lambda folder: f"id of {folder.name}"))

    assert {text: draft.scope for text, draft in found.items()} == {
        "shared": "project",
        "mine": "learner",
        "tabs": "project",
        "below": "project",
    }
    assert {draft.project for draft in found.values()} == {f"id of {tmp_path.name}"}


def test_imported_files_are_followed_once_and_not_inside_code(tmp_path: Path) -> None:
    write(
        tmp_path / "CLAUDE.md",
        "See @docs/git.md for commits, ask @anna.\n\n@docs/git.md\n\n`@docs/not.md`\n",
    )
    write(tmp_path / "docs" / "git.md", "- rebase\n\n@../CLAUDE.md\n@deep.md\n")
    write(tmp_path / "docs" / "deep.md", "- deeper\n")
    write(tmp_path / "docs" / "not.md", "- never\n")

    found = by_text(tmp_path / "CLAUDE.md")

    assert found.keys() == {
        "See @docs/git.md for commits, ask @anna.",
        "`@docs/not.md`",
        "rebase",
        "deeper",
    }
    assert problems(tmp_path / "CLAUDE.md") == []


def test_a_file_of_a_project_reads_nothing_outside_of_it(tmp_path: Path) -> None:
    write(tmp_path / "secret.md", "- the key\n")
    project = tmp_path / "project"
    write(project / "CLAUDE.md", "- fine\n\n@../secret.md\n@link.md\n")
    (project / "link.md").symlink_to(tmp_path / "secret.md")

    assert by_text(project).keys() == {"fine"}
    found = problems(project)
    assert [(problem.line, "outside" in problem.what) for problem in found] == [
        (3, True),
        (4, True),
    ]


def test_an_import_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    write(tmp_path / "CLAUDE.md", "words\n\n@docs/gone.md and @types/node\n")
    [problem] = problems(tmp_path)

    assert problem.sentence().startswith(f"{tmp_path / 'CLAUDE.md'}:3: there is no file")


def test_imports_are_followed_as_deep_as_claude_code_does(tmp_path: Path) -> None:
    write(tmp_path / "CLAUDE.md", "- 0\n\n@1.md\n")
    for number in range(1, 8):
        write(tmp_path / f"{number}.md", f"- {number}\n\n@{number + 1}.md\n")

    assert by_text(tmp_path).keys() == {"0", "1", "2", "3", "4", "5"}
    assert "5 files deep" in problems(tmp_path)[0].what


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

    assert "no memory of Claude Code" in problem.what
    assert "~/.claude" in problem.fix


def test_a_missing_folder_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        drafts(tmp_path / "none")


def test_the_folders_are_recognised(tmp_path: Path) -> None:
    memory = memory_of(tmp_path, "/p")
    write(memory / "topic.md", "- x\n")
    for path in (memory, memory.parent, memory.parents[1], tmp_path / ".claude"):
        assert detect(path).kind == "claude-code"
    write(tmp_path / "CLAUDE.md", "- x\n")
    assert detect(tmp_path).reason == "it holds `CLAUDE.md`"
    assert detect(tmp_path / "CLAUDE.md").kind == "claude-code"


def test_a_home_is_a_person_and_not_a_project(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "CLAUDE.md", "- mine\n")
    write(tmp_path / "shop" / "CLAUDE.md", "- of the shop\n")
    options = ImportOptions(home=tmp_path)

    for path in (tmp_path, tmp_path / ".claude", tmp_path / ".claude" / "CLAUDE.md"):
        [draft] = drafts(path, options)
        assert (draft.text, draft.scope, draft.project) == ("mine", "learner", None)


def test_the_folder_in_a_project_belongs_to_the_project(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "CLAUDE.md", "- shared\n")

    [draft] = drafts(tmp_path / ".claude")

    assert (draft.scope, draft.project) == ("project", str(tmp_path))


def test_a_person_may_pull_in_what_lies_in_their_home(tmp_path: Path) -> None:
    write(tmp_path / ".claude" / "CLAUDE.md", "@~/notes/style.md\n")
    write(tmp_path / "notes" / "style.md", "- short sentences\n")

    assert by_text(tmp_path / ".claude", ImportOptions(home=tmp_path)).keys() == {"short sentences"}
