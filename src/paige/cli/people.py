"""Who runs a command: some steps are for people, whoever's shell starts them."""

import getpass
import os

from paige.base.errors import Refused

# What coding agents set for the commands they run.
_AGENTS = ("AGENT_ROLE", "CLAUDECODE", "GEMINI_CLI", "CODEX_SANDBOX", "COPILOT_CLI")


def person() -> str:
    """The name of the person who asks. Raises: Refused for an agent."""
    agent = next((name for name in _AGENTS if os.environ.get(name)), "")
    if agent:
        raise Refused(
            f"An agent may not do this (`{agent}` is set)",
            hint="Run it yourself, in a terminal of your own.",
        )
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "person"
