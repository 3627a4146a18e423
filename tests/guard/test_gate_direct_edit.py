"""A conductor and a section leader give work away: no tool edits for them."""

from datetime import UTC, datetime
from typing import Any

import pytest

from paige.base.events import Deny, PreTool
from paige.base.paths import SHIPPED
from paige.guard.compiler import book_for
from paige.guard.fast.place import Place
from paige.guard.gate_runner import Situation
from paige.guard.gates import direct_edit
from paige.guard.gates.file_changes import line_of
from paige.guard.hook_event import Heard, Scene
from paige.guard.state.roles import read_manners

NOON = datetime(2026, 11, 15, 12, tzinfo=UTC)
PLACE = Place("/w/app", "/w/app", "/home/u", "", True)
RULES = {"shell": book_for(PLACE).compiled}
MANNERS = read_manners([SHIPPED])


def refused(tool: str, role: str = "conductor", **arguments: object) -> str:
    """Why a call is refused; empty when it is not."""
    heard = Heard(
        PreTool("s", tool, arguments), Scene("claude-code", "PreToolUse", "s", "/w/app", "default")
    )
    facts = {"manners": MANNERS, "line": line_of(heard, PLACE, RULES["shell"])}
    outcome = direct_edit.gate(Situation(heard, PLACE, role, RULES, NOON, facts))
    decision = outcome.decision if outcome else None
    return decision.reason if isinstance(decision, Deny) else ""


@pytest.mark.parametrize("role", ["conductor", "section_leader"])
@pytest.mark.parametrize(
    "command",
    [
        "echo x > src/a.py",
        "echo x >> /w/app/src/a.py",
        "cat > src/a.py <<'E'\nx\nE",
        "echo x | tee src/a.py",
        "sed -i s/a/b/ src/a.py",
        "perl -pi -e s/a/b/ src/a.py",
        "cp /tmp/a.py src/a.py",
        "mv /tmp/a.py src/",
        "rm src/a.py",
        "touch src/new.py",
        "python3 -c \"open('src/a.py','w').write('x')\"",
        "python3 edit.py",
        "node -e \"require('fs').writeFileSync('src/a.js','')\"",
        "bash edit.sh",
        "bash -c 'echo x > src/a.py'",
        "git checkout -- src/a.py",
        "git -C . restore src/a.py",
        "git apply fix.patch",
        "git stash pop",
        "patch -p1 < fix.patch",
        "ruff format src",
        "npx prettier --write src",
        "./edit",
        "some-unknown-tool --write src",
        "cd src && sed -i s/a/b/ a.py",
        "xargs -I{} cp /tmp/a.py {} < list",
        "curl -o src/a.py http://localhost/a.py",
        'eval "$EDIT"',
        "touch .claude/../src/new.py",
    ],
)
def test_no_command_edits_the_project(role: str, command: str) -> None:
    assert "does not edit the project" in refused("Bash", role, command=command)


@pytest.mark.parametrize(
    "command",
    [
        "ls -la src",
        "cat src/a.py",
        "grep -rn x src",
        "git status",
        "git log --oneline",
        "git add -A && git commit -m done",
        "cd src && git status",
        "echo done",
        "mkdir -p .claude/progress",
        "echo x > .claude/plan.md",
        "cat a.py 2>/dev/null",
        "ls > /tmp/list.txt",
    ],
)
def test_looking_and_what_is_theirs_is_free(command: str) -> None:
    assert refused("Bash", command=command) == ""


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "/w/app/src/a.py", "content": ""}),
        ("Edit", {"file_path": "src/a.py", "old_string": "a", "new_string": "b"}),
        ("NotebookEdit", {"notebook_path": "/w/app/a.ipynb", "new_source": "x"}),
        ("write_file", {"file_path": "README.md", "content": ""}),
        ("Write", {"file_path": "/w/app/.claude/../src/a.py", "content": ""}),
        ("Write", {"file_path": "/w/app/.claudex/a.py", "content": ""}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Delete File: src/a.py\n*** End Patch"}),
        ("mcp__serena__replace_symbol_body", {"relative_path": "src/a.py", "body": "x"}),
        ("mcp__fs__edit_file", {"path": "/w/app/src/a.py", "edits": []}),
        ("powershell", {"command": "Set-Content src/a.py x"}),
    ],
)
def test_no_tool_edits_the_project(tool: str, arguments: dict[str, Any]) -> None:
    assert "does not edit the project" in refused(tool, **arguments)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "/w/app/.claude/progress/session-state.json", "content": "{}"}),
        ("Edit", {"file_path": "CLAUDE.md", "old_string": "a", "new_string": "b"}),
        ("Write", {"file_path": "/tmp/notes.md", "content": ""}),
        ("Read", {"file_path": "/w/app/src/a.py"}),
        ("Agent", {"prompt": "edit src/a.py", "subagent_type": "coder"}),
        ("TodoWrite", {"todos": []}),
        ("mcp__github__create_issue", {"title": "x"}),
        ("mcp__paige__memory_add", {"text": "x"}),
    ],
)
def test_what_is_no_edit_of_the_project_is_free(tool: str, arguments: dict[str, Any]) -> None:
    assert refused(tool, **arguments) == ""


@pytest.mark.parametrize("role", ["", "musician", "tester"])
def test_others_are_no_business_of_it(role: str) -> None:
    assert refused("Write", role, file_path="/w/app/src/a.py", content="") == ""
    assert refused("Bash", role, command="sed -i s/a/b/ src/a.py") == ""
