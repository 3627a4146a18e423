"""The agents and skills of an orchestra: short, readable by hosts, naming only what is there."""

import re
from pathlib import Path

import pytest

from paige.base.paths import shipped
from paige.guard.compiler import layer_folders
from paige.guard.fast.place import Place
from paige.guard.state.roles import CONDUCTOR, MUSICIAN, TESTER, is_role, read_manners
from paige.language.front_matter import read_front_matter

AGENTS = sorted(shipped("integrations/agents").glob("*.md"))
SKILLS = sorted(shipped("integrations/skills").glob("*/SKILL.md"))
OURS = ("project-initialization", "incremental-coding", "browser-testing")
MOST_LINES = 150
# Keys that Claude Code reads in the front matter of an agent.
KEYS = {"name", "description", "tools", "disallowedTools", "skills", "model", "color"}
BUILT_IN = {"Read", "Write", "Edit", "Bash", "Glob", "Grep"}
FORBIDDING = re.compile(r"\b(?:never|must not|do not|don't|forbidden|prohibited)\b", re.IGNORECASE)
ROLE = {
    "initializer-agent": MUSICIAN,
    "coding-agent": MUSICIAN,
    "tester-agent": TESTER,
    "conductor": CONDUCTOR,
}


def front(path: Path) -> tuple[dict[str, object], str]:
    found = read_front_matter(path.read_text(encoding="utf-8"), path.name)
    return dict(found.values), found.body


def listed(value: object) -> list[str]:
    return [each.strip() for each in re.split(r",(?![^(]*\))", str(value)) if each.strip()]


def test_the_four_agents_of_an_orchestra_are_there() -> None:
    assert {path.stem for path in AGENTS} == set(ROLE)


@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_an_agent_is_named_like_its_file_and_says_when_it_is_used(path: Path) -> None:
    fields, body = front(path)
    assert fields["name"] == path.stem
    assert "Use " in str(fields["description"])
    assert set(fields) <= KEYS
    assert body.lstrip().startswith("# ")


@pytest.mark.parametrize("path", [*AGENTS, *(p for p in SKILLS if p.parent.name in OURS)],
                         ids=lambda path: f"{path.parent.name}-{path.stem}")  # fmt: skip
def test_it_is_short_and_says_what_to_do_rather_than_what_not(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < MOST_LINES
    assert FORBIDDING.findall(text) == []


@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_an_agent_has_skills_and_tools_that_exist(path: Path) -> None:
    fields, body = front(path)
    skills = {each.parent.name for each in SKILLS}
    assert set(listed(fields.get("skills", ""))) <= skills
    for tool in listed(fields.get("tools", "")):
        assert tool in BUILT_IN or tool.startswith(("mcp__paige__", "Agent(")), tool
    for named in re.findall(r"skill `([\w-]+)`", body):
        assert named in skills


@pytest.mark.parametrize("path", AGENTS, ids=lambda path: path.stem)
def test_the_guard_knows_the_role_of_every_agent(path: Path, tmp_path: Path) -> None:
    place = Place(str(tmp_path), str(tmp_path), str(tmp_path), "", own=False)
    manners = read_manners([folder.parents[1] for folder in layer_folders(place)])
    name = path.stem.removesuffix("-agent").replace("-", "_")
    assert is_role(path.stem, manners.names)
    assert manners.names[name] == ROLE[path.stem]


@pytest.mark.parametrize("name", OURS)
def test_a_skill_is_named_like_its_folder(name: str) -> None:
    fields, _ = front(shipped(f"integrations/skills/{name}/SKILL.md"))
    assert fields["name"] == name
    assert "Use when" in str(fields["description"]) or "Use for" in str(fields["description"])
    assert set(fields) == {"name", "description"}


def test_those_who_plan_and_code_ask_for_precedents_first() -> None:
    for name, tools in {
        "initializer-agent": ("query_traces", "extract_patterns"),
        "coding-agent": ("query_traces", "get_trace"),
    }.items():
        fields, body = front(shipped(f"integrations/agents/{name}.md"))
        for tool in tools:
            assert f"mcp__paige__{tool}" in str(fields["tools"])
            assert f"`{tool}`" in body
