"""The hook's process: what it loads, where it takes it from, what it says to who watches."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paige.guard.compiler import write_rules
from paige.guard.fast.place import place_of
from paige.hooks import bundle
from tests.hooks.conftest import Home
from tests.hooks.process import ENTRY, HOOK, body, environment, fire, refuses

SOURCES = str(Path(ENTRY).parents[2])
# Runs the hook and shows, instead of ending, which modules came to those of a bare interpreter.
LOADED = """
import sys
before = set(sys.modules)
sys.path.insert(0, {sources!r})
from paige.hooks import fast
fast.run("claude-code", "PreToolUse")
sys.stderr.write(" ".join(sorted(set(sys.modules) - before)))
"""
BUILT_IN = {"_json", "_imp", "gc"}
PLAIN = "git status --short"
PARSED = "cd src && ls -la | head -5"
# The parser, and `re` with what that brings: words with patterns in them need it.
PARSER = {
    "tree_sitter", "tree_sitter_bash", "re", "_collections", "_collections_abc", "_functools",
    "_operator", "_sre", "collections", "copyreg", "enum", "functools", "itertools", "keyword",
    "operator", "reprlib", "types",
}  # fmt: skip


def loaded(command: str, home: Home) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", LOADED.format(sources=SOURCES)],
        input=body("claude-code", "PreToolUse", home.project, command),
        capture_output=True,
        env=environment(home.folder),
        timeout=60,
        check=True,
    )
    assert done.stdout == b"", done.stdout
    return set(done.stderr.decode().split())


def test_a_plain_command_loads_nothing_but_itself_and_built_in_modules(home: Home) -> None:
    found = loaded(PLAIN, home)

    foreign = {name for name in found if not name.startswith("paige")}
    rooms = {".".join(name.split(".")[:2]) for name in found} - foreign
    assert foreign <= BUILT_IN
    assert rooms == {"paige", "paige.base", "paige.guard", "paige.hooks"}
    assert "paige.guard.shell.parser" not in found
    assert "paige.hooks.faults" not in found


def test_a_parsed_command_loads_the_parser_and_nothing_of_the_slow_path(home: Home) -> None:
    found = loaded(PARSED, home)

    ours = {name for name in found if name.startswith("paige")}
    foreign = {name.partition(".")[0] for name in found - ours}
    assert any(name.startswith("tree_sitter") for name in foreign), foreign
    assert foreign <= PARSER | BUILT_IN
    assert not ours & {"paige.guard.slow_path", "paige.guard.compiler", "paige.guard.gate_runner"}
    assert not any(name.startswith(("paige.memory", "paige.store")) for name in ours)


# --- one file for all modules ---------------------------------------------------------------------


def test_every_module_that_a_plain_command_loads_is_in_the_file(home: Home) -> None:
    found = {name for name in loaded(PLAIN, home) if name.startswith("paige")}

    assert found <= set(bundle.lean_modules(late=True))


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A copy of what the fast path is made of, as its own installation."""
    package = Path(SOURCES) / "paige"
    for source in package.rglob("*.py"):
        at = source.relative_to(package)
        if at.parts[0] in ("base", "guard", "hooks") or at.name == "__init__.py":
            target = tmp_path / "site" / "paige" / at
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    shipped = package / "shipped"
    data = [each for each in (shipped / "guard").rglob("*.*") if each.suffix in (".toml", ".json")]
    for source in (*data, shipped / "settings.json"):
        target = tmp_path / "site" / "paige" / source.relative_to(package)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    return tmp_path / "site" / "paige" / "hooks" / "entry.py"


def bundle_file(entry: Path) -> Path:
    return entry.parent / "__pycache__" / f"lean.{sys.implementation.cache_tag}.bin"


def made(entry: Path) -> Path:
    """Let the installation make its file."""
    code = (
        f"import sys; sys.path.insert(0, {str(entry.parents[2])!r}); "
        "from paige.hooks.bundle import keep_bundle; assert keep_bundle()"
    )
    subprocess.run([sys.executable, "-I", "-S", "-c", code], check=True, timeout=60)
    return bundle_file(entry)


def answered(entry: Path, home: Home, *more: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(
        [sys.executable, "-I", "-S", *more, str(entry), "claude-code", "PreToolUse"],
        input=body("claude-code", "PreToolUse", home.project),
        capture_output=True,
        env=environment(home.folder),
        timeout=60,
        check=False,
    )


def test_with_the_file_no_module_is_looked_for_and_the_answer_is_the_same(
    installed: Path, home: Home
) -> None:
    one_by_one = answered(installed, home, "-v").stderr.decode()
    made(installed)
    at_once = answered(installed, home, "-v")

    assert "fast_path.py" in one_by_one
    assert "fast_path.py" not in at_once.stderr.decode()
    assert json.loads(at_once.stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def test_a_module_that_has_changed_is_taken_from_its_source(installed: Path, home: Home) -> None:
    made(installed)
    quick = installed.parents[1] / "guard" / "fast_path.py"
    quick.write_text(quick.read_text() + "\nimport sys\nsys.stderr.write('changed')\n")

    done = answered(installed, home)

    assert b"changed" in done.stderr
    assert refuses("claude-code", "PreToolUse", done)
    assert not bundle.is_fresh(bundle_file(installed))


@pytest.mark.parametrize("damage", ["cut", "flipped", "empty", "other"])
def test_a_damaged_file_is_done_without(installed: Path, home: Home, damage: str) -> None:
    path = made(installed)
    data = path.read_bytes()
    path.write_bytes(
        {
            "cut": data[: len(data) // 3],
            "flipped": data[:8] + b"\xff" + data[9:],
            "empty": b"",
            "other": b"\x00\x00\x00\x00" + data[4:],
        }[damage]
    )

    assert refuses("claude-code", "PreToolUse", answered(installed, home))


def test_the_slow_path_leaves_the_file_behind(home: Home) -> None:
    fire(body("claude-code", "SessionStart", home.project), "claude-code", "SessionStart")

    assert bundle.bundle_path().exists()


# --- who watches ----------------------------------------------------------------------------------


def test_a_trace_says_what_was_decided_and_why(home: Home) -> None:
    env = environment(home.folder, PAIGE_TRACE_HOOKS="1")

    denied = fire(body("codex", "PreToolUse", home.project), "codex", "PreToolUse", env=env)
    passed = fire(body("codex", "PreToolUse", home.project, "ls"), "codex", "PreToolUse", env=env)
    broken = fire(b"{", "gemini", "BeforeTool", env=env)

    assert b"codex PreToolUse Bash: deny by rm." in denied.stderr
    assert b"codex PreToolUse Bash: none by shell.harmless" in passed.stderr
    assert b"gemini BeforeTool: deny by could-not-judge: Paige cannot read" in broken.stderr


def test_what_was_sent_and_said_is_kept_as_a_fixture_when_asked_for(home: Home) -> None:
    env = environment(home.folder, PAIGE_RECORD_HOOKS=str(home.folder / "cases"))

    done = fire(body("gemini", "BeforeTool", home.project), "gemini", "BeforeTool", env=env)

    case = home.folder / "cases" / "gemini" / "BeforeTool"
    assert json.loads((case / "stdin.json").read_text())["tool_input"] == {"command": "rm -rf /"}
    assert json.loads((case / "expected.json").read_text())["stdout"]["decision"] == "deny"
    assert refuses("gemini", "BeforeTool", done)


def test_a_folder_for_fixtures_that_cannot_be_written_to_changes_no_answer(home: Home) -> None:
    env = environment(home.folder, PAIGE_RECORD_HOOKS="/proc/nowhere")

    done = fire(body("gemini", "BeforeTool", home.project), "gemini", "BeforeTool", env=env)

    assert refuses("gemini", "BeforeTool", done)


def test_an_unknown_cli_is_a_usage_error(home: Home) -> None:
    done = fire(b"{}", "emacs", env=environment(home.folder))

    assert done.returncode == 2
    assert b"name the CLI" in done.stderr


def test_the_data_folder_may_be_named_on_the_command_line(home: Home) -> None:
    elsewhere = home.folder / "elsewhere"

    fire(body("codex", "Stop", home.project), "codex", "Stop", "--data", str(elsewhere),
         env=environment(home.folder))  # fmt: skip

    assert list(elsewhere.glob("spool/codex-*.jsonl"))


def test_the_same_hook_runs_through_the_command_line(home: Home) -> None:
    paige = [str(Path(sys.executable).with_name("paige")), "hook", "codex", "PreToolUse"]

    done = subprocess.run(
        [*paige, "--data", str(home.data)],
        input=body("codex", "PreToolUse", home.project),
        capture_output=True,
        env=environment(home.folder),
        timeout=60,
        check=False,
    )

    assert done.stdout == fire(
        body("codex", "PreToolUse", home.project), "codex", "PreToolUse",
        env=environment(home.folder),
    ).stdout  # fmt: skip
    assert refuses("codex", "PreToolUse", done)


# --- whose rules ----------------------------------------------------------------------------------


def test_an_agent_that_changes_its_folder_stays_under_the_rules_of_its_project(home: Home) -> None:
    rules = home.project / ".ai" / "guard" / "rules"
    rules.mkdir(parents=True)
    (rules / "house.toml").write_text(HOUSE)
    outside = home.folder / "outside"
    outside.mkdir()
    env = environment(home.folder, CLAUDE_PROJECT_DIR=str(home.project))

    done = fire(
        body("claude-code", "PreToolUse", outside, "deploy now"),
        "claude-code", "PreToolUse", env=env,
    )  # fmt: skip

    assert refuses("claude-code", "PreToolUse", done)


HOUSE = """
family = "deploying"
commands = ["deploy"]

[[rule]]
id = "never"
decision = "deny"
loses = "What people use would be replaced."
instead = "Let the pipeline do it."
must = ["deploy now"]
must_not = ["ls"]
"""


@pytest.mark.parametrize("path", ["guard/guard-0.bin", "spool/x.jsonl"])
def test_the_data_folder_is_protected_wherever_it_lies(home: Home, path: str) -> None:
    data = home.folder / "somewhere"
    link = home.folder / "link"
    data.mkdir()
    link.symlink_to(data)
    write_rules(place_of("/", str(link)))
    for named in (data, link):
        sent = {
            "hook_event_name": "PreToolUse",
            "cwd": str(home.project),
            "tool_name": "Write",
            "tool_input": {"file_path": str(named / path), "content": "x"},
        }

        done = fire(
            json.dumps(sent).encode(), "claude-code", "PreToolUse", "--data", str(link),
            env=environment(home.folder),
        )  # fmt: skip

        assert refuses("claude-code", "PreToolUse", done)


def test_the_starter_is_where_installers_look_for_it() -> None:
    assert os.path.isfile(ENTRY)
    assert HOOK[-1] == ENTRY
