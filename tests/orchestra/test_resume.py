"""A conductor that is killed at any step it keeps goes on, and does nothing twice."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.orchestra.players import listed, write_list
from tests.orchestra.repositories import merges, new_repository, run_git
from tests.processes import python

# Each process goes on with the work and is killed at the first step nobody was killed at before:
# at each `step` there is, or once at each `kind` of them; `never` lets it work in peace.
CONDUCTOR = """
import json, os, signal, sys
from pathlib import Path
import anyio
from paige.orchestra.running.conductor import Wishes, conduct
from tests.orchestra.players import FAILED, PARTS, Player, orchestra_of, run_tests, validate
from tests.orchestra.test_resume import kind_of

root, data, notes = map(Path, sys.argv[1:4])
at_each = sys.argv[4]

def note(name, line):
    with open(notes / name, "a") as file:
        file.write(line + "\\n")
        file.flush()
        os.fsync(file.fileno())

def place(name):
    return kind_of(name) if at_each == "kind" else name

def fails_once(player, task):
    path = notes / "failed-once"
    if task.feature == "F1" and (not path.exists() or path.read_text() == task.key):
        path.write_text(task.key)
        run_tests(task, player.data, FAILED)
        return "Issues:\\n- f1.py: AssertionError\\n\\nFAILED F1"
    return validate(player, task)

class Noting(Player):
    async def run(self, task):
        note("runs", task.key)
        return await Player.run(self, task)

def work():
    (notes / "killed").touch()
    killed = {place(name) for name in (notes / "killed").read_text().splitlines()}
    def mark(name):
        if at_each != "never" and place(name) not in killed:
            note("killed", name)
            os.kill(os.getpid(), signal.SIGKILL)
    player = Noting(data, {**PARTS, "tester-agent": fails_once})
    made = orchestra_of(root, player, mark=mark, store=lambda trace: note("traces", trace.id))
    report = anyio.run(conduct, made, Wishes(goal="Two parts"))
    note("report", json.dumps(report.dump()))

for _ in range(1000):
    child = os.fork()
    if child == 0:
        try:
            work()
        except BaseException:
            import traceback
            note("faults", traceback.format_exc())
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status):
        break
print("ended")
"""


def kind_of(step: str) -> str:
    """A step without the number, key or feature it is about."""
    return " ".join(word for word in step.partition(":")[0].split() if word.isalpha())


def run_script(script: str, *arguments: object) -> None:
    """Run a script to its end; a failing one fails the test."""
    with python(script, *arguments) as process:
        _, complaint = process.communicate(timeout=570)
    assert process.returncode == 0, complaint


def killed_all_the_way(folder: Path, at_each: str) -> Path:
    """Let a conductor work in a project, killed again and again; the folder of its notes."""
    project = new_repository(folder / "app")
    notes = folder / "notes"
    notes.mkdir()
    run_script(CONDUCTOR, project, folder / "data", notes, at_each)
    faults = notes / "faults"
    assert not faults.exists(), faults.read_text()
    return notes


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


@pytest.mark.timeout(600)  # up to a hundred processes, one after the other
@pytest.mark.parametrize(
    ("at_each", "least"), [("kind", 25), pytest.param("step", 61, marks=pytest.mark.soak)]
)
def test_killed_at_any_step_each_feature_is_closed_once_and_nothing_is_lost(
    tmp_path: Path, at_each: str, least: int
) -> None:
    notes = killed_all_the_way(tmp_path, at_each)
    project = tmp_path / "app"
    killed = lines(notes / "killed")

    assert len(killed) >= least
    assert {"ran", "worktree", "merge", "clear"} < {kind_of(step) for step in killed}
    assert len(killed) == len(set(killed))
    assert json.loads(lines(notes / "report")[-1])["closed"] == ["F1", "F2"]
    assert merges(project) == ["F1: Part 1", "F2: Part 2"]
    features = listed(project)
    assert all(each["tested"] for each in features.values())
    assert (features["F1"]["retries"], features["F2"]["retries"]) == (1, 0)
    # An agent runs again only when the conductor was killed before it had written the result down.
    runs = Counter(lines(notes / "runs"))
    lost = {name.removeprefix("ran ") for name in killed if name.startswith("ran ")}
    assert {key for key, count in runs.items() if count > 1} <= lost
    assert max(runs.values()) == 2
    handed = [json.loads(line) for line in lines(project / ".claude/progress/handoffs.jsonl")]
    seen = Counter((each["key"], each["event"]) for each in handed)
    assert set(seen.values()) == {1}
    answers = Counter(
        json.loads(line)["name"] for line in lines(project / ".claude/progress/journal.jsonl")
    )
    assert set(answers.values()) == {1}
    assert not list((project / ".claude" / "worktrees").iterdir())
    assert run_git(project, "branch", "--list", "paige/*") == ""
    assert run_git(project, "status", "--porcelain") == ""
    record = features["F1"]["evidence"]
    assert (project / record[0]).is_file()


def test_a_torn_line_in_the_journal_is_no_answer(tmp_path: Path) -> None:
    project = new_repository(tmp_path / "app")
    write_list(project)
    path = project / ".claude" / "progress" / "journal.jsonl"
    path.write_text('{"name": "answer:x", "value": {"event": "Merg')
    notes = tmp_path / "notes"
    notes.mkdir()
    (project / ".claude" / "progress" / "feature-list.json").unlink()
    run_script(CONDUCTOR, project, tmp_path / "data", notes, "never")
    assert json.loads(lines(notes / "report")[-1])["closed"] == ["F1", "F2"]
