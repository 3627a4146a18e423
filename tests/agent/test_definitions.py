import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.library.definitions import (
    PROVIDERS,
    AgentDefinition,
    CommandDefinition,
    SkillDefinition,
    read_agent,
    read_command,
    read_plugin_file,
    read_skill_file,
)
from paige.base import settings
from paige.base.errors import BadInput

REQUIRED = "model: claude-x\nprovider: anthropic"


def agent(front: str) -> AgentDefinition:
    return read_agent(f"---\n{front}\n---\nPlan well.\n", "agents/planner.md")


def refusal(front: str) -> tuple[str, str | None]:
    with pytest.raises(BadInput) as caught:
        agent(front)
    return caught.value.message, caught.value.hint


def test_an_agent_with_the_required_keys_has_the_defaults_of_the_spec() -> None:
    text = f"---\n{REQUIRED}\n---\nPlan well.\n"

    assert read_agent(text, "agents/planner.md") == AgentDefinition(
        name="planner",
        model="claude-x",
        provider="anthropic",
        body="Plan well.\n",
        file="agents/planner.md",
        digest=hashlib.sha256(text.encode()).hexdigest(),
        description="",
        workspace=(),
        skills=(),
        tools=(),
        hooks=(),
        memory=True,
        handoffs=(),
        output_schema=None,
        max_turns=25,
        max_budget_usd=None,
        metadata={},
    )


def test_an_agent_may_set_every_key() -> None:
    read = agent(
        """name: planner
description: Plans lessons
model: gpt-x
provider: openai
workspace: [teacher.md, classes/3B.md]
skills:
  - backward-design
tools: [read_file]
hooks: [scope-check, feedforward]
memory: false
handoffs: [reviewer]
outputSchema:
  type: object
  properties: {title: {type: string}}
maxTurns: 7
maxBudgetUsd: 0.5
color: blue"""
    )

    assert read.description == "Plans lessons"
    assert (read.model, read.provider) == ("gpt-x", "openai")
    assert read.workspace == ("teacher.md", "classes/3B.md")
    assert (read.skills, read.tools) == (("backward-design",), ("read_file",))
    assert read.hooks == ("scope-check", "feedforward")
    assert (read.memory, read.handoffs) == (False, ("reviewer",))
    assert read.output_schema == {"type": "object", "properties": {"title": {"type": "string"}}}
    assert (read.max_turns, read.max_budget_usd) == (7, 0.5)
    assert read.metadata == {"color": "blue"}
    assert read.place("hooks") == "agents/planner.md:10"


@pytest.mark.parametrize(
    ("front", "message", "hint"),
    [
        ("provider: local", "planner.md:1: `model` is missing", "Add a line `model: …`."),
        ("model: x", "planner.md:1: `provider` is missing", "Add a line `provider: …`."),
        ("model:\nprovider: local", "planner.md:2: `model` is missing", None),
        ("model: 4\nprovider: local", "planner.md:2: `model` is `4`", 'quotes: `model: "4"`'),
        ("model: x\nprovider: acme", "planner.md:3: `provider` is `acme`", "`openai-compatible`"),
        (f"{REQUIRED}\nmaxTurn: 3", ":4: the key `maxTurn` is not known", "mean `maxTurns`?"),
        (f"{REQUIRED}\nzzz: 3", ":4: the key `zzz` is not known", "Remove it."),
        (f"{REQUIRED}\nname: other", ":4: `name` is `other`", "it is `planner`"),
        (f"{REQUIRED}\ntools: Read, Grep", ":4: `tools` is `Read, Grep`", "`tools: [one, two]`"),
        (f"{REQUIRED}\nskills: [a, 1]", ":4: `skills` holds `1`, which is no text", "Quote it."),
        (f"{REQUIRED}\nhooks: [a, a]", ":4: `hooks` names `a` twice", "Remove one"),
        (f"{REQUIRED}\nmemory: sometimes", ":4: `memory` is `sometimes`", "`true` or `false`"),
        (f"{REQUIRED}\nmaxTurns: 0", ":4: `maxTurns` is `0`", "from 1 to 1000"),
        (f"{REQUIRED}\nmaxTurns: 1001", ":4: `maxTurns` is `1001`", "from 1 to 1000"),
        (f"{REQUIRED}\nmaxTurns: 2.5", ":4: `maxTurns` is `2.5`", "whole number"),
        (f"{REQUIRED}\nmaxTurns: true", ":4: `maxTurns` is `True`", "whole number"),
        (f"{REQUIRED}\nmaxBudgetUsd: -1", ":4: `maxBudgetUsd` is `-1`", "above 0"),
        (f"{REQUIRED}\nmaxBudgetUsd: true", ":4: `maxBudgetUsd` is `True`", "above 0"),
        (f"{REQUIRED}\nmaxBudgetUsd: 1e999", ":4: `maxBudgetUsd` is `inf`", "above 0"),
        (f"{REQUIRED}\nworkspace: [../x.md]", ":4: `workspace` names `../x.md`", "without `..`"),
        (f"{REQUIRED}\nworkspace: [/etc/x]", ":4: `workspace` names `/etc/x`", "relative"),
        (f"{REQUIRED}\noutputSchema: text", ":4: `outputSchema` is `text`", "JSON Schema"),
        (f"{REQUIRED}\noutputSchema: {{a: 1}}", "`outputSchema` has no valid `type`", "`object`"),
        (f"{REQUIRED}\noutputSchema: {{type: []}}", "has no valid `type`", "`object`"),
    ],
)
def test_a_wrong_agent_says_the_place_and_what_to_change(
    front: str, message: str, hint: str | None
) -> None:
    said, advice = refusal(front)

    assert message in said
    assert hint is None or hint in (advice or "")


def test_the_providers_are_those_of_the_settings() -> None:
    assert PROVIDERS == settings.PROVIDERS


def test_the_keys_of_claude_code_are_kept_and_harm_nothing() -> None:
    shared = "allowed-tools: [Read]\nargument-hint: topic\nlicense: MIT\nmetadata: {a: 1}"

    read = agent(f"{REQUIRED}\n{shared}")

    assert read.metadata == {
        "allowed-tools": ["Read"],
        "argument-hint": "topic",
        "license": "MIT",
        "metadata": {"a": 1},
    }


def test_a_command_is_single_and_writes_nothing_unless_it_says_so() -> None:
    plain = read_command("---\nagent: planner\ndescription: Make one\n---\nDo.", "c/create.md")
    asked = read_command(
        "---\nagent: planner\ndescription: d\nmode: interactive\nwrites: lessons/x.md\n---\n",
        "c/refine.md",
    )

    assert plain == CommandDefinition(
        name="create",
        agent="planner",
        description="Make one",
        body="Do.",
        file="c/create.md",
        digest=plain.digest,
        mode="single",
        writes=None,
    )
    assert (asked.mode, asked.writes) == ("interactive", "lessons/x.md")


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("agent: a", "c/create.md:1: `description` is missing"),
        ("description: d", "c/create.md:1: `agent` is missing"),
        ("agent: a\ndescription: d\nmode: loop", "c/create.md:4: `mode` is `loop`"),
        ("agent: a\ndescription: d\nwrites: ../x", "c/create.md:4: `writes` names `../x`"),
        ("agent: a\ndescription: d\nmodel: x", "c/create.md:4: the key `model` is not known"),
    ],
)
def test_a_wrong_command_says_the_place(front: str, message: str) -> None:
    with pytest.raises(BadInput, match=message):
        read_command(f"---\n{front}\n---\n", "c/create.md")


def test_a_file_whose_name_is_no_name_is_refused() -> None:
    with pytest.raises(BadInput, match="`my agent` cannot be a name"):
        read_agent(f"---\n{REQUIRED}\n---\n", "agents/my agent.md")


def test_a_skill_is_named_after_its_folder() -> None:
    folder = Path("skills/backward-design")

    read = read_skill_file("---\ndescription: Begin at the end\n---\nBody", folder, ("a.md",))

    assert read == SkillDefinition(
        name="backward-design",
        description="Begin at the end",
        body="Body",
        folder=folder,
        digest=read.digest,
        files=("a.md",),
    )
    with pytest.raises(BadInput, match=r"SKILL\.md:1: `description` is missing"):
        read_skill_file("---\nname: backward-design\n---\n", folder)


def test_a_version_that_yaml_reads_as_a_number_must_be_quoted() -> None:
    with pytest.raises(BadInput, match=r"PLUGIN\.md:3: `version` is `1\.1`"):
        read_plugin_file("---\nname: a\nversion: 1.10\ndescription: d\n---\n", Path("a"))


@given(
    st.dictionaries(
        st.sampled_from(["model", "provider", "maxTurns", "memory", "skills", "outputSchema", "x"]),
        st.sampled_from(["1", "-1", "x", "[a]", "{type: object}", "true", "local", "''", ".5"]),
    )
)
def test_whatever_is_written_gives_an_agent_or_an_error_with_its_line(
    front: dict[str, str],
) -> None:
    written = "\n".join(f"{key}: {value}" for key, value in front.items())
    told: BadInput | None = None
    read: AgentDefinition | None = None
    try:
        read = agent(written)
    except BadInput as error:
        told = error

    if read is None:
        assert told is not None
        assert told.message.startswith("agents/planner.md:")
        assert told.hint
    else:
        assert read.model
        assert read.provider in PROVIDERS
