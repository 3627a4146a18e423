"""Who runs a command: some steps are for people, whoever's shell starts them."""

import getpass
import os

from paige.base.errors import Refused

# What coding agents set for the commands they run.
_AGENTS = (
    "AGENT_ROLE", "CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_CHILD_SESSION", "GEMINI_CLI",
    "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "COPILOT_CLI",
    "CURSOR_AGENT", "OPENCODE", "OPENCODE_CLIENT", "AI_AGENT",
)  # fmt: skip


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
