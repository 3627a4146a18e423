"""`paige memory`, as people and programs use it."""

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.served_model import served_model
from tests.live import live_paige, run_paige


def memory(
    folder: Path, *arguments: str, stdin: str = "", **extra: str
) -> subprocess.CompletedProcess[str]:
    return run_paige(folder, "memory", *arguments, stdin=stdin, **extra)


def answers(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def lines(*objects: object) -> str:
    return "".join(json.dumps(each) + "\n" for each in objects)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with three memories of two projects."""
    stdin = lines(
        {
            "text": "Ana feeds the hens at six",
            "project": "farm",
            "speaker": "Ana",
            "meta": {"n": 1},
        },
        {"text": "The tractor needs oil", "project": "farm", "meta": [1, None, {"deep": "x"}]},
        {"text": "The hens are pixels here", "project": "game", "at": "2024-05-06"},
    )
    done = memory(tmp_path, "import", "--jsonl", stdin=stdin)
    assert (done.returncode, json.loads(done.stdout)) == (0, {"added": 3}), done.stderr
    return tmp_path


def test_batches_are_answered_in_order_with_what_the_caller_gave(home: Path) -> None:
    stdin = lines(
        {"query": "hens", "project": "farm"},
        {"query": "hens", "project": "game", "unknown": True},
        {"query": "tractor", "k": 1},
        {"query": "hens", "budget_tokens": 1},
    )
    done = memory(home, "search", "--jsonl", stdin=stdin)
    farm, game, tractor, nothing = answers(done)
    assert done.returncode == 0
    assert farm["results"][0]["text"] == "Ana feeds the hens at six"
    assert farm["results"][0]["meta"] == {"n": 1}
    assert set(farm["results"][0]) == {"id", "text", "score", "scope", "meta"}
    assert [each["text"] for each in game["results"]] == ["The hens are pixels here"]
    assert tractor["results"][0]["meta"] == [1, None, {"deep": "x"}]
    assert nothing["results"] == []
    assert all(each["took_ms"] >= 0 for each in (farm, game, tractor))


def test_every_line_of_an_import_is_its_own_result(tmp_path: Path) -> None:
    same = {"text": "Thanks!", "project": "p", "session": "s", "speaker": "Bo"}
    assert answers(memory(tmp_path, "import", "--jsonl", stdin=lines(same, same))) == [{"added": 2}]
    [found] = answers(
        memory(tmp_path, "search", "--jsonl", stdin=lines({"query": "thanks", "project": "p"}))
    )
    assert len(found["results"]) == 2


def test_a_bad_line_is_named_and_the_others_are_taken(tmp_path: Path) -> None:
    stdin = lines({"text": "good"}) + "{not json\n" + lines({"scope": "global"}, {"text": "fine"})
    done = memory(tmp_path, "import", "--jsonl", stdin=stdin)
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"added": 2}
    assert "stdin:2" in done.stderr
    assert "stdin:3" in done.stderr
    asked = memory(tmp_path, "search", "--jsonl", stdin='{"query": 7}\n{"query": "good"}\n')
    wrong, right = answers(asked)
    assert asked.returncode == 1
    assert wrong["error"]["line"] == 1
    assert "`query`" in wrong["error"]["message"]
    assert right["results"][0]["text"] == "good"


def test_a_person_adds_searches_shows_and_forgets(tmp_path: Path) -> None:
    added = memory(tmp_path, "add", "The shed key hangs by the door", "--scope", "global")
    id = added.stdout.strip()
    found = memory(tmp_path, "search", "shed key", "--why")
    assert "The shed key hangs by the door" in found.stdout
    assert "lexical" in found.stdout
    shown = memory(tmp_path, "show", id)
    assert "scope       global" in shown.stdout
    whole = json.loads(memory(tmp_path, "show", id, "--json").stdout)
    assert whole["event"]["seq"] == 1
    assert len(whole["event"]["hash"]) == 64
    looked = memory(tmp_path, "forget", id, "--dry-run")
    assert "Forgot 0 of 1" in looked.stdout
    refused = memory(tmp_path, "forget", id)
    assert refused.returncode == 2
    assert "--yes" in refused.stderr
    gone = memory(tmp_path, "forget", id, "--yes", "--json")
    assert json.loads(gone.stdout) == {"forgotten": 1, "planned": 1, "missing": []}
    assert memory(tmp_path, "search", "shed key").stdout == ""
    assert memory(tmp_path, "show", id).returncode == 1


def test_a_fact_with_a_key_replaces_the_one_before(tmp_path: Path) -> None:
    for text in ("Uses spaces", "Uses tabs"):
        memory(tmp_path, "add", text, "--key", "indent", "--scope", "global")
    assert "spaces" not in memory(tmp_path, "search", "uses spaces or tabs").stdout
    history = memory(tmp_path, "search", "uses spaces or tabs", "--history")
    assert "spaces" in history.stdout


def test_the_profile_of_a_person_is_short_and_their_own(tmp_path: Path) -> None:
    memory(tmp_path, "add", "Uses spaces", "--key", "editor.indent", "--scope", "global")
    memory(tmp_path, "add", "Uses tabs", "--key", "editor.indent", "--scope", "global")
    memory(tmp_path, "add", "Deploys on Tuesdays", "--key", "deploys", "--project", "shop")
    memory(tmp_path, "add", "Starts with a quiz", "--key", "start", "--scope", "teacher",
           "--as", "anna")  # fmt: skip
    assert memory(tmp_path, "profile").stdout == "## Profile\n\n**editor**\n- Uses tabs\n"
    said = json.loads(memory(tmp_path, "profile", "--as", "anna", "--json").stdout)
    assert (said["person"], said["text"]) == (
        "anna",
        "## Profile\n\n**general**\n- Starts with a quiz\n",
    )
    assert [(each["key"], each["preference"]) for each in said["traits"]] == [("start", False)]
    small = memory(tmp_path, "profile", "--budget", "1")
    assert (small.stdout, small.returncode) == ("", 0)
    assert "--budget" in small.stderr
    assert "Nothing is known yet" in memory(tmp_path, "profile", "--as", "bo").stderr
    assert "of a person" in memory(tmp_path, "profile", "--as", "agent:coder").stderr


def test_the_length_of_a_profile_is_set_in_the_thresholds(tmp_path: Path) -> None:
    for number in range(3):
        memory(tmp_path, "add", f"Likes {number}", "--key", f"k{number}", "--scope", "global")
    whole = memory(tmp_path, "profile").stdout
    thresholds = tmp_path / ".config" / "ai" / "memory" / "lifecycle.toml"
    thresholds.write_text("[profile]\nmost_tokens = 20\n")
    assert "Likes" in memory(tmp_path, "profile").stdout
    assert len(memory(tmp_path, "profile").stdout) < len(whole)


def test_private_memories_are_for_their_owner(tmp_path: Path) -> None:
    memory(tmp_path, "add", "Starts with a quiz", "--scope", "teacher", "--as", "anna")
    assert "quiz" in memory(tmp_path, "search", "quiz", "--as", "anna").stdout
    assert memory(tmp_path, "search", "quiz").stdout == ""
    assert memory(tmp_path, "search", "quiz", "--as", "agent:coder").stdout == ""


def test_a_named_pupil_is_refused_with_a_suggestion(tmp_path: Path) -> None:
    done = memory(tmp_path, "add", "Oliver Grant struggles with loops", "--scope", "class")
    assert done.returncode == 2
    assert "Oliver" in done.stderr
    judged = memory(
        tmp_path,
        "names",
        "--jsonl",
        stdin=lines({"text": "Ask Aisha Khan"}, {"text": "3B like it"}),
    )
    named, free = answers(judged)
    assert named["allowed"] is False
    assert named["named"] == ["Aisha Khan"]
    assert free == {"named": [], "allowed": True}
    assert memory(tmp_path, "names", "Ask Aisha Khan").returncode == 3


def test_the_log_and_the_index_are_kept_whole(home: Path) -> None:
    assert json.loads(memory(home, "verify", "--json").stdout)["ok"] is True
    assert json.loads(memory(home, "rebuild", "--json").stdout) == {"events": 3}
    log = home / ".config" / "ai" / "memory" / "events.jsonl"
    log.write_text(log.read_text().replace("tractor", "scooter"))
    broken = memory(home, "verify")
    assert broken.returncode == 1
    assert "events.jsonl:2" in broken.stdout


def test_a_line_written_by_hand_is_taken_in(home: Path) -> None:
    log = home / ".config" / "ai" / "memory" / "events.jsonl"
    with log.open("a") as file:
        file.write(lines({"text": "The well is dry in August", "scope": "global"}))
    done = memory(home, "compact")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "well is dry" in memory(home, "search", "when is the well dry").stdout


def test_statistics_policies_and_exports_are_printed(home: Path) -> None:
    stats = json.loads(memory(home, "stats", "--cycle", "--json").stdout)
    assert stats["index"]["memories"] == 3
    assert "record" in memory(home, "stats", "--cycle").stdout
    policy = json.loads(memory(home, "policy", "--json").stdout)
    assert policy["history"] == []
    assert policy["current"]["policy"]["weights"]["relevance"] == 1.0
    exported = memory(home, "export", "--to", "jsonl").stdout
    elsewhere = home / "elsewhere"
    elsewhere.mkdir()
    again = memory(elsewhere, "import", "--jsonl", stdin=exported)
    assert json.loads(again.stdout) == {"added": 3}
    file = home / "out.md"
    assert memory(home, "export", "--to", "markdown", "-o", str(file)).returncode == 0
    assert "tractor" in file.read_text()


def test_a_migration_is_planned_before_it_is_done(home: Path) -> None:
    planned = json.loads(memory(home, "migrate", "--dry-run", "--json").stdout)
    assert planned["needed"] is False
    assert memory(home / "..", "migrate", HOME=str(home / "nobody")).returncode == 1


def test_documents_are_listed_and_printed(tmp_path: Path) -> None:
    assert "no memory documents" in memory(tmp_path, "files").stderr
    folder = tmp_path / ".paige" / "workspace" / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- short starters\n")
    assert memory(tmp_path, "files").stdout.startswith("MEMORY.md")
    assert memory(tmp_path, "files", "MEMORY.md").stdout == "- short starters\n"
    assert memory(tmp_path, "files", "nothing.md").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("import",), "Nothing is named"),
        (("import", "nowhere"), "nowhere"),
        (("search",), "Nothing is asked"),
        (("search", "x", "--as", "robot:y"), "is not a reader"),
        (("names",), "No text is given"),
        (("forget", "--yes"), "nothing is named"),
        (("forgte",), "Did you mean `forget`?"),
    ],
)
def test_wrong_use_gets_a_sentence(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    done = memory(tmp_path, *arguments)
    assert done.returncode in (1, 2)
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_home_the_variable_is_named(tmp_path: Path) -> None:
    done = memory(tmp_path, "search", "x", HOME="", DATA_DIR=str(tmp_path / "data"))
    assert done.returncode == 2
    assert "AI_MEMORY_PATH" in done.stderr


def test_a_model_writes_the_summaries_when_it_is_asked_to(home: Path) -> None:
    said = ("The well is deep", "Hay came on Monday", "The goat escaped", "The pond froze")
    told = ({"text": text, "project": "farm", "session": "s1"} for text in said * 3)
    numbered = [{**each, "text": f"{each['text']}, {n}"} for n, each in enumerate(told)]
    memory(home, "import", "--jsonl", stdin=lines(*numbered))
    with served_model() as model:
        model.says(json.dumps({"summary": "A quiet week on the farm."}))
        asked = ("compact", "--session", "s1", "--model")
        done = memory(home, *asked, **model.variables)
        requests = len(model.requests)

    assert done.returncode == 0, done.stderr
    assert requests == 1
    assert "A quiet week on the farm." in memory(home, "search", "quiet week").stdout


def test_open_windows_hear_of_what_a_command_changes(tmp_path: Path) -> None:
    with live_paige(tmp_path):
        id = memory(tmp_path, "add", "The gate is green", "--scope", "global").stdout.strip()
        memory(tmp_path, "import", "--jsonl", stdin=lines({"text": "The barn is red"}))
        memory(tmp_path, "forget", id, "--dry-run")
        memory(tmp_path, "forget", id, "--yes")
        with closing(sqlite3.connect(tmp_path / ".paige" / "paige.db")) as database:
            asked = "SELECT payload FROM events WHERE topic = 'memory:changed' ORDER BY seq"
            told = [json.loads(payload) for (payload,) in database.execute(asked)]

    assert [each["action"] for each in told] == ["added", "added", "forgotten"]
    assert told[0]["ids"] == told[2]["ids"] == [id]
