"""The Tab key in real shells: commands, options, and names of what a person has."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paige.base.settings import Settings
from paige.doors.frame.completion import classes, courses, guards, own_names, plugin_commands
from tests.live import PAIGE, environment, run_paige

BASH = """
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(( $# - 1 ))
COMPREPLY=()
_paige_completion paige
printf '%s\\n' "${COMPREPLY[@]}"
"""
# A second zsh on a terminal of its own, for only there the completion system works.
ZSH = """
zmodload zsh/zpty
zpty shell "PS1='' zsh -fi"
zpty -w shell "autoload -Uz compinit; compinit -u -D; source '$1'"
zpty -w shell "LISTMAX=0; setopt nolistambiguous; unsetopt menucomplete; bindkey '^I' list-choices"
zpty -w shell "echo rea''dy"
zpty -r shell said '*ready*'
zpty -w -n shell "$2"$'\\t'
zpty -r shell said "*$3*"
print -r -- "$said"
zpty -d shell
"""


def shell(name: str) -> str:
    """The program, or the test is left out: not everybody has every shell."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def script(folder: Path, name: str) -> Path:
    done = run_paige(folder, "completion", name)
    assert done.returncode == 0, done.stderr
    path = folder / f"completion.{name}"
    path.write_text(done.stdout)
    return path


def typed(folder: Path) -> dict[str, str]:
    """The environment of a person who has `paige` on the path."""
    path = f"{Path(PAIGE).parent}:{os.environ.get('PATH', '')}"
    return {**environment(folder), "PATH": path, "TERM": "dumb"}


def at_tab(folder: Path, *words: str) -> list[str]:
    """What bash offers; the last word is the unfinished one."""
    command = [shell("bash"), "--norc", "-c", BASH, "bash", str(script(folder, "bash")), *words]
    done = subprocess.run(
        command,
        env=typed(folder),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout.split()


def test_bash_offers_commands_and_their_commands(tmp_path: Path) -> None:
    assert "doctor" in at_tab(tmp_path, "paige", "")
    assert at_tab(tmp_path, "paige", "doc") == ["doctor"]
    assert {"start", "courses"} <= set(at_tab(tmp_path, "paige", "study", ""))
    assert at_tab(tmp_path, "paige", "install", "ge") == ["gemini"]


def test_bash_offers_options(tmp_path: Path) -> None:
    assert at_tab(tmp_path, "paige", "doctor", "--f") == ["--fix"]


def test_bash_offers_courses_classes_and_commands_of_plugins(tmp_path: Path) -> None:
    own = tmp_path / ".claude" / "teaching" / "courses" / "knots"
    own.mkdir(parents=True)

    assert at_tab(tmp_path, "paige", "study", "start", "--course", "") == [
        *("bahasa-melayu", "how-memory-works", "knots", "python-algorithms"),
    ]
    assert "3B" in at_tab(tmp_path, "paige", "plan", "worksheet", "--class", "")
    assert "create-lesson" in at_tab(tmp_path, "paige", "plan", "cr")


def test_bash_offers_the_guards_of_the_project(tmp_path: Path) -> None:
    folder = tmp_path / ".ai" / "guards"
    folder.mkdir(parents=True)
    (folder / "no-new-mocks.json").write_text("{}")

    assert at_tab(tmp_path, "paige", "guard", "promote", "no") == ["no-new-mocks"]


def test_fish_offers_commands_and_courses(tmp_path: Path) -> None:
    fish, path = shell("fish"), script(tmp_path, "fish")

    def offered(line: str) -> list[str]:
        command = [fish, "--no-config", "-c", f"source {path}; complete -C '{line}'"]
        done = subprocess.run(
            command,
            env=typed(tmp_path),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        )
        return [word.partition("\t")[0] for word in done.stdout.splitlines()]

    assert offered("paige doc") == ["doctor"]
    assert offered("paige study start --course ba") == ["bahasa-melayu"]


@pytest.mark.parametrize(
    ("line", "offered"),
    [("paige doc", "doctor"), ("paige study start --course ba", "bahasa-melayu")],
)
def test_zsh_offers_commands_and_courses(tmp_path: Path, line: str, offered: str) -> None:
    command = [shell("zsh"), "-f", "-c", ZSH, "zsh", str(script(tmp_path, "zsh")), line, offered]
    done = subprocess.run(
        command,
        env=typed(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert offered in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "cword"), [("paige ", 1), ("paige study start --course ", 4), ("paige guard ", 2)]
)
def test_pressing_tab_imports_neither_the_command_nor_a_database(words: str, cword: int) -> None:
    ask = (
        "import sys; sys.argv = ['paige']\n"
        "from paige.doors.site.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = ('sqlalchemy', 'pydantic', 'paige.study', 'paige.store', 'paige.memory')\n"
        "print([name for name in sys.modules if name.startswith(heavy)])"
    )
    asked = {"COMP_WORDS": words, "COMP_CWORD": str(cword), "_PAIGE_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=True,
    )
    *offered, imported = done.stdout.splitlines()
    assert offered
    assert imported == "[]"


def test_a_broken_settings_file_offers_nothing_and_complains_nowhere(tmp_path: Path) -> None:
    (tmp_path / "paige.toml").write_text("port = 'abc'")

    assert at_tab(tmp_path, "paige", "study", "start", "--course", "") == []


def test_names_are_read_where_the_settings_say(tmp_path: Path) -> None:
    settings = Settings(
        cwd=tmp_path,
        environ={"HOME": str(tmp_path)},
        given_workspace=tmp_path / "mine",
        given_teaching_dir=tmp_path / "learn",
    )
    (tmp_path / "mine" / "classes").mkdir(parents=True)
    (tmp_path / "mine" / "classes" / "7X.md").touch()
    (tmp_path / "learn" / "courses" / "knots").mkdir(parents=True)
    (tmp_path / ".ai" / "plugins" / "p" / "commands").mkdir(parents=True)
    (tmp_path / ".ai" / "plugins" / "p" / "commands" / "tell.md").touch()

    assert list(classes(settings)) == ["7X"]
    assert "knots" in set(courses(settings))
    assert {"tell", "create-lesson"} <= set(plugin_commands(settings))
    assert list(guards(settings)) == []


def test_what_click_knows_is_left_to_click() -> None:
    assert own_names([]) is None
    assert own_names(["study", "start"]) is None
    assert own_names(["study", "start", "--course"]) is courses
    assert own_names(["guard", "promote"]) is guards
