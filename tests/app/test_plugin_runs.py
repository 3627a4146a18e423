"""Who answers a run, and what it remembers of what a person decided."""

from dataclasses import asdict
from pathlib import Path

import pytest

from paige.agent.library.definitions import read_agent
from paige.app.plugin_runs import RunOptions, settings_for
from paige.base.settings import Settings, provider_of
from tests.agent.crew import agent_text

KEYS = {"anthropic_api_key": "a", "openai_api_key": "o"}


@pytest.mark.parametrize(
    ("settings", "agent", "option", "chosen"),
    [
        ({}, "anthropic", "", "local"),
        (KEYS, "anthropic", "", "anthropic"),
        (KEYS, "openai", "", "openai"),
        (KEYS, "local", "", "local"),
        ({**KEYS, "provider": "anthropic"}, "openai", "", "anthropic"),
        ({**KEYS, "provider": "anthropic"}, "openai", "openai", "openai"),
        ({"openai_api_key": "o"}, "anthropic", "", "openai"),
        ({"openai_api_key": "o", "base_url": "http://x"}, "openai", "", "openai-compatible"),
        ({"base_url": "http://x"}, "openai-compatible", "", "openai-compatible"),
    ],
)
def test_the_option_then_the_setting_then_the_agent_then_a_key_says_who_answers(
    settings: dict[str, str], agent: str, option: str, chosen: str
) -> None:
    given = Settings(cwd=Path("/"), **settings)  # type: ignore[arg-type]  # texts only
    definition = read_agent(agent_text(provider=agent), "helper.md")

    found = settings_for(given, definition, RunOptions(provider=option))

    assert provider_of(found, strict=False) == chosen


def test_a_session_goes_on_as_it_was_told_unless_it_is_told_otherwise() -> None:
    before = RunOptions(class_id="3B", model="haiku", max_turns=3, memory=False, bash=True)
    stored = {**asdict(before), "of a later version": 1}

    assert RunOptions().over(stored) == before
    assert RunOptions(model="sonnet").over(stored).model == "sonnet"
    assert RunOptions(model="sonnet").over(stored).class_id == "3B"
    assert RunOptions().over({}) == RunOptions()
