"""Install, then uninstall: every byte is back; twice is once; entries of others stay."""

import json
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict
from paige.guard.install.edits import apply, undo
from paige.guard.install.installer import carry_out, plan_install, plan_uninstall
from paige.guard.install.jsonedit import JsonFault, find, value_of
from paige.guard.install.manifests import CLIS
from paige.guard.install.plans import our_hooks
from paige.guard.install.records import write_record
from tests.depth import examples
from tests.guard.installs import (
    EVENT,
    HOOK_FILES,
    JSON_FILES,
    Memory,
    Person,
    foreign_group,
    json_texts,
)

TOML_TEXTS = [
    b"",
    b"\n",
    b'model = "x"',
    b'model = "x"\n\n[mcp_servers.other]\nurl = "http://127.0.0.1:1"\n',
    b"# a comment\r\nmodel = 'x'\r\n[hooks]\r\n"
    b'[[hooks.Stop]]\r\n[[hooks.Stop.hooks]]\r\ntype = "command"\r\n',
    b'text = """\n[mcp_servers.paige]\n"""\n',
    b'\xef\xbb\xbfmodel = "x"\n',
    b'[hooks.state."/elsewhere:stop:0:0"]\ntrusted_hash = "sha256:00"\n',
]


def person(folder: Path) -> Person:
    home = folder / "home"
    home.mkdir()
    return Person(home)


@pytest.mark.parametrize("cli", CLIS)
@given(data=st.data())
@settings(max_examples=examples(50))
def test_after_uninstall_every_file_is_as_it_was(cli: str, data: st.DataObject) -> None:
    someone = Memory(cli)
    for name in JSON_FILES[cli]:
        text = data.draw(st.none() | json_texts(cli))
        if text is not None:
            someone.write(name, text)
    if cli == "codex" and data.draw(st.booleans()):
        someone.write(".codex/config.toml", data.draw(st.sampled_from(TOML_TEXTS)))
    before = dict(someone.texts)
    someone.install()
    between = dict(someone.texts)
    assert set(someone.install()) == {"unchanged"}
    assert someone.texts == between

    someone.uninstall()

    assert someone.texts == before


@pytest.mark.parametrize("cli", CLIS)
@given(data=st.data())
@settings(max_examples=examples(50))
def test_what_others_wrote_means_the_same_with_paige_and_after_others_changed_the_file(
    cli: str, data: st.DataObject
) -> None:
    someone = Memory(cli)
    path = someone.write(HOOK_FILES[cli], data.draw(json_texts(cli)))
    old = value_of(someone.texts[path])
    someone.install()
    value = value_of(someone.texts[path])
    assert without_paige(value) == without_paige(old)

    # The host writes the file anew, and somebody adds a hook and a key.
    assert isinstance(value, dict)
    value["later"] = True
    value["hooks"][EVENT[cli]].append(dict(foreign_group(cli)))
    someone.texts[path] = json.dumps(value, indent=data.draw(st.sampled_from([None, 2, 4])))
    assert "changed" not in someone.install()
    wanted = without_paige(value)

    someone.uninstall()

    assert our_hooks(someone.texts[path]) == []
    assert without_paige(value_of(someone.texts[path])) == wanted


def without_paige(value: object) -> object:
    """A settings file as others see it."""
    if isinstance(value, dict):
        kept = {key: without_paige(each) for key, each in value.items() if key != "paige"}
        return pruned(kept)
    if isinstance(value, list):
        return [
            without_paige(each) for each in value if "paige/hooks/entry.py" not in json.dumps(each)
        ]
    return value


def pruned(value: object) -> object:
    """Without empty containers and the version that Copilot's file must name."""
    if not isinstance(value, dict):
        return value
    kept = {key: pruned(each) for key, each in value.items() if key != "version"}
    return {key: each for key, each in kept.items() if each not in ({}, [])}


@given(texts=st.lists(json_texts("gemini"), min_size=1, max_size=1))
def test_the_reader_of_places_agrees_with_the_json_module(texts: list[bytes]) -> None:
    text = texts[0].decode()
    try:
        wanted = json.loads(text.removeprefix("\ufeff"))
    except ValueError:
        value_of(text)  # comments are read too
        return
    assert value_of(text) == wanted


@given(st.text('{}[]",:/*\\ \n\r1tnul\ufeff', max_size=30))
def test_a_broken_text_is_an_error_with_a_line_or_what_it_says(text: str) -> None:
    found: JsonFault | None = None
    try:
        value_of(text)
    except JsonFault as fault:
        found = fault
    assert found is None or 1 <= found.line <= text.count("\n") + 1


@pytest.mark.parametrize("cli", CLIS)
def test_undoing_a_plan_gives_the_old_text(cli: str, tmp_path: Path) -> None:
    someone = person(tmp_path)
    someone.write(HOOK_FILES[cli], b'{"a": 1}')
    for change in plan_install(someone.target(cli)).changes:
        piece = next(
            each
            for made in plan_install(someone.target(cli)).record.installations
            for each in made.pieces
            if each.path == change.path
        )
        assert apply(change.old or "", piece.spans) == change.new
        assert undo(change.new or "", piece.spans) == (change.old or "")


@pytest.mark.parametrize(
    ("cli", "name", "text", "line", "words"),
    [
        ("claude-code", ".claude/settings.json", b'{\n "a": 1\n "b": 2\n}', 3, "comma"),
        ("claude-code", ".claude.json", b'{"a": ', 1, "value is missing"),
        ("gemini", ".gemini/settings.json", b'{"hooks":\n []}', 2, "`hooks` is no object"),
        ("copilot", ".copilot/mcp-config.json", b'{"mcpServers": 1}', 1, "is no object"),
        ("codex", ".codex/config.toml", b'model = "x"\nb = [', 2, "Invalid"),
        ("codex", ".codex/config.toml", b"mcp_servers = {}\n", 0, "mcp_servers"),
        ("codex", ".codex/hooks.json", b"\xff\xfe", 0, "UTF-8"),
    ],
)
def test_a_broken_settings_file_is_named_and_nothing_is_written(
    cli: str, name: str, text: bytes, line: int, words: str, tmp_path: Path
) -> None:
    someone = person(tmp_path)
    path = someone.write(name, text)
    before = someone.files()

    with pytest.raises(BadInput) as caught:
        someone.install(cli)

    assert str(path) in caught.value.message
    assert words in caught.value.message
    assert f"line {line}" in caught.value.message or not line
    assert "nothing was written" in (caught.value.hint or "")
    assert someone.files() == before
    assert not (someone.home / ".paige").exists()


@pytest.mark.parametrize("cli", CLIS)
def test_a_new_place_of_paige_replaces_the_old_entries(cli: str, tmp_path: Path) -> None:
    someone = person(tmp_path)
    someone.write(
        HOOK_FILES[cli], json.dumps({"hooks": {EVENT[cli]: [dict(foreign_group(cli))]}}).encode()
    )
    before = someone.files()
    old = someone.target(cli).command
    moved = type(old)("/elsewhere/bin/python", "/elsewhere/paige/hooks/entry.py")
    someone.install(cli, command=moved)
    someone.install(cli)

    text = (someone.home / HOOK_FILES[cli]).read_text()
    assert "/elsewhere" not in text
    assert len(our_hooks(text)) == len(someone.target(cli).events)
    someone.uninstall(cli)
    assert someone.files() == before


def test_a_server_that_somebody_named_paige_stays(tmp_path: Path) -> None:
    someone = person(tmp_path)
    own = b'{"mcpServers": {"paige": {"type": "http", "url": "https://paige.example/mcp"}}}'
    path = someone.write(".claude.json", own)
    planned = plan_install(someone.target("claude-code"))
    someone.install("claude-code")

    assert any("it stays" in note for note in planned.notes)
    assert path.read_bytes() == own
    someone.uninstall("claude-code")
    assert path.read_bytes() == own


def test_without_its_record_paige_still_finds_what_is_its_own(tmp_path: Path) -> None:
    someone = person(tmp_path)
    path = someone.write(".claude/settings.json", b'{"model": "x"}\n')
    someone.install("claude-code")
    (someone.home / ".paige/guard/installed-claude-code.json").unlink()

    someone.uninstall("claude-code")

    assert path.read_bytes() == b'{"model": "x"}\n'
    assert find((someone.home / ".claude.json").read_text(), ("mcpServers",)) is None


def test_a_link_to_the_settings_stays_a_link(tmp_path: Path) -> None:
    someone = person(tmp_path)
    real = someone.write("dotfiles/claude.json", b"{}\n")
    (someone.home / ".claude").mkdir()
    link = someone.home / ".claude/settings.json"
    link.symlink_to(real)
    someone.install("claude-code")

    assert link.is_symlink()
    assert our_hooks(real.read_text())
    someone.uninstall("claude-code")
    assert link.is_symlink()
    assert real.read_bytes() == b"{}\n"


def test_skills_that_hosts_share_leave_with_the_last_of_them(tmp_path: Path) -> None:
    someone = person(tmp_path)
    skill = someone.home / ".agents/skills/study/SKILL.md"
    for cli in ("codex", "gemini", "copilot"):
        someone.install(cli)
    someone.uninstall("codex")
    someone.uninstall("gemini")
    assert skill.exists()
    someone.uninstall("copilot")
    assert someone.files() == {}


def test_a_skill_that_the_person_changed_stays(tmp_path: Path) -> None:
    someone = person(tmp_path)
    someone.install("gemini")
    skill = someone.home / ".agents/skills/study/SKILL.md"
    skill.write_text("mine")
    planned = plan_uninstall(someone.target("gemini"))
    someone.uninstall("gemini")

    assert skill.read_text() == "mine"
    assert any("SKILL.md" in note for note in planned.notes)


def test_agents_are_for_claude_code_and_the_persons_own_of_that_name_stay(tmp_path: Path) -> None:
    someone = person(tmp_path)
    mine = b"---\nname: coding-agent\ndescription: mine\n---\nMy own.\n"
    path = someone.write(".claude/agents/coding-agent.md", mine)
    someone.write(".claude/agents/other.md", b"other")
    before = someone.files()
    planned = plan_install(someone.target("claude-code"))
    someone.install("claude-code")

    agents = {each.name for each in (someone.home / ".claude/agents").iterdir()}
    assert agents == {
        "coding-agent.md", "conductor.md", "initializer-agent.md", "other.md", "tester-agent.md"
    }  # fmt: skip
    assert path.read_bytes() == mine
    assert any("coding-agent.md` is not the one of Paige" in note for note in planned.notes)
    for cli in ("codex", "gemini", "copilot"):
        assert not any("agents/coding" in str(c.path) for c in plan_install(
            someone.target(cli)).changes)  # fmt: skip
    someone.uninstall("claude-code")
    assert someone.files() == before


def test_an_agent_that_the_person_changed_stays_and_without_agents_none_is_written(
    tmp_path: Path,
) -> None:
    someone = person(tmp_path)
    someone.install("claude-code")
    agent = someone.home / ".claude/agents/tester-agent.md"
    agent.write_text("mine")
    someone.uninstall("claude-code")
    assert agent.read_text() == "mine"
    assert [each.name for each in agent.parent.iterdir()] == ["tester-agent.md"]

    agent.unlink()
    parts = someone.target("claude-code").parts - {"agents"}
    someone.install("claude-code", parts=parts)
    assert list(agent.parent.iterdir()) == []


@pytest.mark.parametrize("cli", ["codex", "copilot"])
def test_hooks_that_would_fire_twice_are_refused(cli: str, tmp_path: Path) -> None:
    someone = person(tmp_path)
    project = tmp_path / "project"
    project.mkdir()
    someone.install(cli)
    with pytest.raises(Conflict, match="fire twice") as caught:
        someone.install(cli, project=project)
    assert caught.value.hint == f"Run `paige uninstall {cli}` first."

    someone.uninstall(cli)
    someone.install(cli, project=project)
    with pytest.raises(Conflict, match="fire twice") as caught:
        someone.install(cli)
    assert f"--project {project}" in (caught.value.hint or "")


@pytest.mark.parametrize("cli", CLIS)
def test_a_project_gets_files_of_its_own(cli: str, tmp_path: Path) -> None:
    someone = person(tmp_path)
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    someone.install(cli, project=project)
    made = {path.relative_to(project).as_posix() for path in project.rglob("*") if path.is_file()}
    wanted = {
        "claude-code": {
            ".claude/settings.local.json",
            ".mcp.json",
            ".claude/skills/study/SKILL.md",
            ".claude/skills/incremental-coding/SKILL.md",
            ".claude/agents/coding-agent.md",
            ".claude/agents/conductor.md",
        },
        "codex": {".codex/hooks.json", ".codex/config.toml", ".agents/skills/study/SKILL.md"},
        "gemini": {".gemini/settings.json", ".agents/skills/study/SKILL.md"},
        "copilot": {".github/hooks/paige.json", ".github/mcp.json", ".agents/skills/quiz/SKILL.md"},
    }
    assert wanted[cli] <= made
    someone.uninstall(cli, project=project)
    assert [path.name for path in project.iterdir()] == [".git"]
    assert someone.files() == {}


@pytest.mark.parametrize("place", ["before", "inside", "after"])
def test_tables_that_codex_adds_later_stay(place: str, tmp_path: Path) -> None:
    someone = person(tmp_path)
    path = someone.write(".codex/config.toml", b'model = "x"\n')
    someone.install("codex")
    added = '[projects."/w/app"]\ntrust_level = "trusted"\n'
    text = path.read_text()
    mark = text.index("[mcp_servers.paige]")
    later = text.index("[hooks.state", mark + 400)
    at = {"before": 12, "inside": later, "after": len(text)}[place]
    path.write_text(text[:at] + added + text[at:])

    someone.uninstall("codex")

    left = path.read_text()
    assert tomllib.loads(left) == {
        "model": "x",
        "projects": {"/w/app": {"trust_level": "trusted"}},
    }
    assert "Paige" not in left


def test_an_installation_that_broke_off_is_taken_out_whole(tmp_path: Path) -> None:
    someone = person(tmp_path)
    someone.write(".claude/settings.json", b'{"model": "x"}\n')
    before = someone.files()
    planned = plan_install(someone.target("claude-code"))
    write_record(someone.home / ".paige", "claude-code", planned.record)
    first = planned.changes[0]
    first.path.write_text(first.new or "")  # the rest was never written

    assert "created" in someone.install("claude-code")
    someone.uninstall("claude-code")

    assert someone.files() == before


def test_a_file_that_changes_between_plan_and_work_is_left_alone(tmp_path: Path) -> None:
    someone = person(tmp_path)
    path = someone.write(".gemini/settings.json", b"{}")
    planned = plan_install(someone.target("gemini"))
    path.write_text('{"theirs": 1}')

    with pytest.raises(Conflict, match="changed just now"):
        carry_out(planned)

    assert path.read_text() == '{"theirs": 1}'
