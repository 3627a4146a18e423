"""The command line: help, mistakes, exit codes."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tests import live
from tests.live import environment, run_paige

# Where the start itself is the point.
run_fresh = partial(live.run_paige, fresh=True)


def test_help_lists_every_command_without_importing_one(tmp_path: Path) -> None:
    script = (
        "import sys; sys.argv = ['paige', '--help']\n"
        "from paige.doors.site.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "heavy = ('paige.', 'sqlalchemy', 'pydantic')\n"
        "print(sorted(m for m in sys.modules if m.startswith(heavy)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )

    assert "Start Paige for yourself" in done.stdout
    below = ["errors", "umask"]
    doors = ["", ".frame", ".frame.commands", ".site", ".site.main"]
    loaded = ["paige.base", *(f"paige.base.{each}" for each in below)]
    loaded += [f"paige.doors{each}" for each in doors]
    assert done.stdout.splitlines()[-1] == str(loaded)


def test_version_is_printed(tmp_path: Path) -> None:
    assert run_fresh(tmp_path, "--version").stdout.startswith("paige, version 0.")


def test_an_unknown_command_names_the_closest_and_exits_2(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "docter")

    assert done.returncode == 2
    assert "Did you mean `doctor`?" in done.stderr


def test_an_unknown_option_exits_2(tmp_path: Path) -> None:
    assert run_paige(tmp_path, "doctor", "--nope").returncode == 2


def test_doctor_prints_json_with_a_fix_for_what_is_wrong(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "doctor", "--json", PROJECT_DIR="/no/such")

    report = json.loads(done.stdout)
    wrong = {check["name"]: check for check in report["checks"] if check["status"] == "fail"}
    assert done.returncode == 1
    assert report["ok"] is False
    assert set(report["checks"][0]) == {"name", "status", "message", "fix", "fixable"}
    assert "`PROJECT_DIR`" in wrong["project"]["fix"]


def test_doctor_without_a_home_says_which_variable_to_set(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "doctor", HOME="")

    assert done.returncode == 1
    assert "`DATA_DIR`" in done.stdout
    assert "Traceback" not in done.stderr


def test_a_bad_setting_is_named_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "paige.toml").write_text("# mine\nport = 'abc'\n")
    done = run_paige(tmp_path, "doctor")

    assert done.returncode == 2
    assert f"{tmp_path / 'paige.toml'}:2" in done.stderr
    assert "is not a port" in done.stderr


def test_a_variable_that_looks_like_ours_is_a_warning(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "doctor", PAIGE_PASCODE="x")

    assert "`PAIGE_PASCODE` means nothing to Paige" in done.stdout


def test_passcode_turns_into_a_hash_that_serves(tmp_path: Path) -> None:
    done = run_fresh(tmp_path, "passcode", stdin="open sesame\n")

    assert done.stdout.startswith("$argon2id$v=19$m=65536,t=3,p=4$")


def test_an_empty_passcode_is_refused(tmp_path: Path) -> None:
    assert run_paige(tmp_path, "passcode", stdin="\n").returncode == 2


def test_completion_scripts_name_the_program(tmp_path: Path) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "_PAIGE_COMPLETE" in run_paige(tmp_path, "completion", shell).stdout


def test_completion_offers_the_commands(tmp_path: Path) -> None:
    done = run_fresh(
        tmp_path, _PAIGE_COMPLETE="bash_complete", COMP_WORDS="paige do", COMP_CWORD="1"
    )

    assert "doctor" in done.stdout


def test_a_fault_in_paige_becomes_a_sentence_and_a_file(tmp_path: Path) -> None:
    script = (
        "from paige.doors.site.main import run_command\n"
        "def broken(): raise ZeroDivisionError('sk-ant-' + 'x' * 30)\n"
        "run_command(broken)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(tmp_path, TMPDIR=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )

    [details] = tmp_path.glob("paige-fault-*.txt")
    assert done.returncode == 1
    assert "Paige failed: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in details.read_text()
    assert "sk-ant-xxx" not in details.read_text()


def test_an_interrupt_ends_a_command_whose_parent_ignores_interrupts(tmp_path: Path) -> None:
    """As background jobs of scripts and some CI systems do."""
    script = (
        "import signal\n"
        "from paige.doors.site.main import run_command\n"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN\n"
        "run_command(lambda: signal.raise_signal(signal.SIGINT))"
    )
    done = subprocess.run(
        ["/bin/sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", script],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 130
    assert done.stderr == "paige: Interrupted\n"


def test_teacher_assist_lists_the_commands_that_come_with_paige(tmp_path: Path) -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "teacher-assist"), "--list"],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "lesson-planning:create-lesson" in done.stdout


@pytest.mark.parametrize(
    "command",
    [
        ("memory", "add", "The harbour freezes in winter.", "--json"),
        ("doctor", "--json"),
        ("no-such-command",),
        *(
            pytest.param(words, marks=pytest.mark.soak)
            for words in (
                ("plan", "list", "--json"),
                ("eval", "--help"),
                ("study", "courses"),
                ("coach", "status"),
                ("guard", "rules"),
                ("orchestra", "--help"),
                ("trace", "list"),
                ("install", "--help"),
            )
        ),
    ],
    ids=lambda words: words[0],
)
def test_a_fresh_process_says_what_one_of_the_nursery_says(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Most tests take their processes from the nursery; nothing may work only there."""
    fresh, born = tmp_path / "fresh", tmp_path / "born"
    fresh.mkdir()
    born.mkdir()
    expected = run_fresh(fresh, *command)
    seen = run_paige(born, *command)

    assert (seen.returncode, seen.stderr) == (expected.returncode, expected.stderr)
    assert len(seen.stdout.splitlines()) == len(expected.stdout.splitlines())
    # Some folders are named after the place, so only the ends of the names can be compared.
    assert sorted(path.suffix for path in born.rglob("*")) == sorted(
        path.suffix for path in fresh.rglob("*")
    )
