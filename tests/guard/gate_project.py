"""A project and the hook's real process: what a host sends goes in, what it is told comes out."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paige.hooks import fast

ENTRY = str(Path(fast.__file__).with_name("entry.py"))
PASSED = "....                                        [100%]\n4 passed in 0.12s\n"


@dataclass(frozen=True, slots=True)
class Said:
    """What the process told the host."""

    code: int
    body: dict[str, Any]
    stderr: str

    @property
    def own(self) -> dict[str, Any]:
        """The part for this event."""
        return self.body.get("hookSpecificOutput", {})

    @property
    def denied(self) -> str:
        """Why a tool was refused; empty when it was not."""
        if self.own.get("permissionDecision") == "deny":
            return self.own["permissionDecisionReason"]
        return ""

    @property
    def blocked(self) -> str:
        """Why a stop was refused; empty when it was not."""
        return self.body["reason"] if self.body.get("decision") == "block" else ""

    @property
    def context(self) -> str:
        """What the model is told besides."""
        return self.own.get("additionalContext", "")


@dataclass(frozen=True, slots=True)
class Project:
    """A project, the data folder of Paige, and who acts in it."""

    root: Path
    data: Path
    session: str = "s1"
    role: str = ""
    agent: str = ""
    agent_type: str = ""

    def fire(self, event: str, **more: object) -> Said:
        """Send one event to a process of its own."""
        body: dict[str, object] = {
            "session_id": self.session,
            "cwd": str(self.root),
            "permission_mode": "default",
            "hook_event_name": event,
            **more,
        }
        if self.agent:
            body["agent_id"] = self.agent
        if self.agent_type:
            body["agent_type"] = self.agent_type
        keep = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        done = subprocess.run(
            [sys.executable, "-I", "-S", ENTRY, "claude-code", event, "--data", str(self.data)],
            input=json.dumps(body).encode(),
            capture_output=True,
            timeout=60,
            check=False,
            env={**keep, "HOME": str(self.data.parent / "home"), "AGENT_ROLE": self.role},
        )
        text = done.stdout.decode()
        return Said(done.returncode, json.loads(text) if text else {}, done.stderr.decode())

    def before(self, tool: str, **given: object) -> Said:
        """Ask whether a tool may run."""
        return self.fire("PreToolUse", tool_name=tool, tool_input=given, tool_use_id="call-1")

    def ran(self, command: str, stdout: str) -> Said:
        """Tell that a command ran and ended well."""
        return self.fire(
            "PostToolUse",
            tool_name="Bash",
            tool_input={"command": command},
            tool_response={"stdout": stdout, "stderr": "", "interrupted": False},
            tool_use_id="call-1",
        )

    def path(self, name: str) -> str:
        """A file of the project."""
        return str(self.root / name)


def new_project(folder: Path) -> Project:
    """A project with one source file and nothing of an orchestra."""
    root = folder / "app"
    (root / "src").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "src" / "a.py").write_text("x = 1\n", encoding="utf-8")
    (folder / "home").mkdir()
    return Project(root, folder / "data")


def with_features(project: Project, *features: dict[str, object]) -> Path:
    """Give a project a list of features."""
    path = project.root / ".claude" / "progress" / "feature-list.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"features": list(features)}, indent=2), encoding="utf-8")
    return path
