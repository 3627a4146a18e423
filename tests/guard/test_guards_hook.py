"""Guards in the hook's real process: they block, watch, are let pass once, and cost nobody else."""

import json
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from paige.base.clock import system_clock
from paige.guard.compiler import write_rules
from paige.guard.fast.place import Place, place_of
from paige.guard.fast.snapshot import dump_snapshot, snapshot_path
from paige.guard.fast.snapshot_cache import SnapshotCache
from paige.guard.fast_path import decide_quickly
from paige.guard.guards.lookup import FOLDER, HOLDS, grant, take
from paige.guard.guards.parser import dump_record
from paige.guard.guards.trials import compiled
from paige.guard.guards.values import Example, Guard, GuardRecord, LearnedMatcher
from paige.guard.hook_event import Heard
from paige.guard.slow_path import decide_slowly
from paige.guard.state.files import write_object
from paige.hooks.fast import hear
from tests.depth import examples
from tests.guard.gate_project import PASSED, Project, new_project, with_features
from tests.guard.guard_values import (
    bash,
    calls,
    force_push,
    in_production,
    in_shadow,
    matchers,
    proposed,
)
from tests.hooks.bodies import bodies

MESSAGE = force_push().message
FORCE = "git push --force"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return new_project(tmp_path)


def put(project: Project, record: GuardRecord) -> Path:
    """Keep a guard where its scope says."""
    universal = record.guard.scope == "universal"
    home = project.data.parent / "home" / ".config" / "ai" / "guards"
    path = (home if universal else project.root / ".ai" / "guards") / f"{record.id}.json"
    write_object(path, dump_record(record))
    return path


def lines(project: Project) -> list[dict[str, Any]]:
    found = sorted(project.data.glob("spool/*.jsonl"))
    return [json.loads(each) for path in found for each in path.read_text().splitlines()]


# A harmless command that no shipped rule refuses, so that only the guard can.
QUIET = Guard(
    id="no-amend",
    event="pre_tool",
    matcher=LearnedMatcher(command=("git", "log", "**", "--grep=secret-word")),
    message="Do not look for that.",
    must=(bash("git log --grep=secret-word"),),
)
ASKED = "git log --grep=secret-word"
EVERYWHERE = replace(QUIET, scope="universal")


@pytest.mark.parametrize("guard", [QUIET, EVERYWHERE])
def test_a_guard_in_production_blocks_with_its_own_words(project: Project, guard: Guard) -> None:
    assert not project.before("Bash", command=ASKED).denied
    put(project, in_production(guard))
    assert project.before("Bash", command=ASKED).denied == "Do not look for that."
    assert project.before("Bash", command=f"cd src && {ASKED} | cat").denied
    assert not project.before("Bash", command="git log --oneline").denied
    last = lines(project)[-3]
    assert (last["decision"], last["rule"], len(last["same"])) == ("deny", "guard:no-amend", 16)


def test_a_guard_stands_before_the_shipped_rules(project: Project) -> None:
    assert project.before("Bash", command=FORCE).denied not in ("", MESSAGE)
    put(project, in_production(force_push()))
    assert project.before("Bash", command=FORCE).denied == MESSAGE


@pytest.mark.parametrize("guard", [QUIET, EVERYWHERE])
def test_a_guard_in_shadow_only_notes_itself(project: Project, guard: Guard) -> None:
    put(project, in_shadow(guard))
    assert not project.before("Bash", command=ASKED).denied
    assert not project.before("Bash", command="git log").denied
    first, second = lines(project)[-2:]
    assert first["shadow"] == ["no-amend"]
    assert first["decision"] == "none"
    assert first["rule"] == "shell.harmless"  # what decides is still named
    assert "shadow" not in second


def test_a_proposal_does_nothing_and_a_rollback_takes_effect_at_once(project: Project) -> None:
    path = put(project, proposed(QUIET))
    assert not project.before("Bash", command=ASKED).denied
    assert "shadow" not in lines(project)[-1]
    put(project, in_production(QUIET))
    assert project.before("Bash", command=ASKED).denied
    path.unlink()
    assert not project.before("Bash", command=ASKED).denied


def test_a_guard_that_asks_asks(project: Project) -> None:
    put(project, in_production(replace(EVERYWHERE, decision="ask")))
    said = project.before("Bash", command=ASKED)
    assert not said.denied
    assert lines(project)[-1]["decision"] == "ask"
    assert lines(project)[-1]["rule"] == "guard:no-amend"


def test_a_broken_guard_file_costs_its_own_guard_only(project: Project) -> None:
    put(project, in_production(QUIET))
    (project.root / ".ai" / "guards" / "broken.json").write_text("{", encoding="utf-8")
    assert project.before("Bash", command=ASKED).denied
    assert not project.before("Bash", command="git status").denied


def test_a_guard_that_was_widened_by_hand_no_longer_blocks(project: Project) -> None:
    path = put(project, in_production(QUIET))
    written = json.loads(path.read_text())
    written["versions"][1]["value"]["matcher"] = {"command": ["git", "log"]}
    write_object(path, written)
    assert not project.before("Bash", command="git log").denied
    assert not project.before("Bash", command=ASKED).denied


def test_a_worktree_of_the_orchestra_has_the_guards_of_its_project(project: Project) -> None:
    put(project, in_production(QUIET))
    worktree = project.root / ".claude" / "worktrees" / "F-1"
    (worktree / ".git").mkdir(parents=True)
    assert replace(project, root=worktree).before("Bash", command=ASKED).denied


# --- stops and facts ------------------------------------------------------------------------------

STOPS = Guard(
    id="test-first",
    event="stop",
    matcher=LearnedMatcher(agents=("coding-agent",), unless=("tests-ran",)),
    message="Run the tests before you stop.",
    must=(Example(agent="coding-agent"),),
    must_not=(Example(agent="coding-agent", facts=("tests-ran",)),),
)


def test_a_stop_is_refused_once_and_not_when_the_fact_holds(project: Project) -> None:
    put(project, in_production(STOPS))
    with_features(project, {"id": "F-1", "status": "in_progress", "tested": False})
    coder = replace(project, agent_type="coding-agent", role="musician")
    assert coder.fire("Stop", stop_hook_active=False).blocked == STOPS.message
    assert not coder.fire("Stop", stop_hook_active=True).blocked
    assert not replace(coder, agent_type="other").fire("Stop", stop_hook_active=False).blocked
    coder.ran("pytest -q", PASSED)
    assert not coder.fire("Stop", stop_hook_active=False).blocked


def test_a_claim_is_refused_unless_there_is_evidence(project: Project) -> None:
    given = {"file_path": "feature-list.json", "content": '"tested": true'}
    claim = Guard(
        id="evidence-first",
        event="pre_tool",
        matcher=LearnedMatcher(
            paths=("feature-list.json",), contains=('"tested": true',), unless=("evidence",)
        ),
        message="Evidence first.",
        must=(Example(tool="Write", input=given),),
    )
    path = with_features(project, {"id": "F-1", "status": "done", "tested": False})
    put(project, in_production(claim))
    text = path.read_text().replace('"tested": false', '"tested": true')
    coder = replace(project, role="musician")
    assert coder.before("Write", file_path=str(path), content=text).denied == "Evidence first."
    coder.ran("pytest -q", PASSED)
    assert not coder.before("Write", file_path=str(path), content=text).denied


# --- let pass once --------------------------------------------------------------------------------


def allow_once(project: Project) -> None:
    same = [each["same"] for each in lines(project) if "same" in each][-1]
    grant(project.data, "no-amend", same, system_clock())


@pytest.mark.parametrize("guard", [QUIET, EVERYWHERE])
def test_what_a_person_lets_pass_passes_once(project: Project, guard: Guard) -> None:
    put(project, in_production(guard))
    assert project.before("Bash", command=ASKED).denied
    allow_once(project)
    assert project.before("Bash", command=f"{ASKED} ").denied  # another action
    assert not project.before("Bash", command=ASKED).denied
    assert lines(project)[-1]["overrode"] == ["no-amend"]
    assert project.before("Bash", command=ASKED).denied


def test_the_permission_that_follows_the_same_call_passes_with_it(project: Project) -> None:
    put(project, in_production(EVERYWHERE))
    assert project.before("Bash", command=ASKED).denied
    allow_once(project)
    assert not project.before("Bash", command=ASKED).denied
    asked = {"tool_name": "Bash", "tool_input": {"command": ASKED}}
    said = project.fire("PermissionRequest", **asked)
    assert said.own.get("decision", {}).get("behavior") != "deny"
    again = project.fire("PermissionRequest", **asked)
    assert again.own["decision"]["behavior"] == "deny"


def test_a_shipped_rule_is_never_let_pass(project: Project) -> None:
    put(project, in_production(force_push(scope="universal")))
    assert project.before("Bash", command=FORCE).denied == MESSAGE
    same = lines(project)[-1]["same"]
    grant(project.data, "no-force-push", same, system_clock())
    denied = project.before("Bash", command=FORCE).denied
    assert denied
    assert denied != MESSAGE


def test_a_grant_is_old_after_ten_minutes_and_is_taken_by_one_only(tmp_path: Path) -> None:
    now = system_clock()
    grant(tmp_path, "a", "00ff", now)
    assert not take(tmp_path, "b", "00ff", "pre_tool", now)
    assert not take(tmp_path, "a", "00fe", "pre_tool", now)
    assert not take(tmp_path, "a", "00ff", "pre_tool", now + HOLDS * 1.1)
    assert take(tmp_path, "a", "00ff", "pre_tool", now)
    assert not take(tmp_path, "a", "00ff", "pre_tool", now)
    assert not take(tmp_path, "a", "../../x", "pre_tool", now)
    grant(tmp_path, "a", "11", now - HOLDS * 2)
    grant(tmp_path, "a", "22", now)
    assert not (tmp_path / FOLDER / "a.11").exists()


# --- what agents may not do -----------------------------------------------------------------------


LOOSENING = (
    "paige guard promote no-amend --why please",
    "paige guard shadow no-amend --why x",
    "paige guard rollback no-amend --why x",
    "paige guard override 12ab --why x",
    "paige guard learn --apply",
    "python -m paige guard promote x --force --why x",
    "sh -c 'paige guard rollback x --why y'",
    "paige uninstall",
    "echo x > .ai/guards/a.json",
    "cp /tmp/a.json .ai/guards/a.json",
    "rm .ai/guards/no-amend.json",
    "mv .ai/guards /tmp/x",
    "mv .ai x",
    "sed -i s/deny/ask/ .ai/guards/no-amend.json",
    "cp a.json ~/.config/ai/guards/a.json",
    "mv .claude/progress x",
)


def test_an_agent_cannot_loosen_a_guard(project: Project) -> None:
    put(project, in_production(QUIET))
    (project.root / ".claude" / "progress").mkdir(parents=True, exist_ok=True)
    for command in LOOSENING:
        assert project.before("Bash", command=command).denied, command


def test_an_agent_cannot_write_guard_files_with_other_tools(project: Project) -> None:
    path = put(project, in_production(QUIET))
    home = project.data.parent / "home"
    for target in (path, home / ".config" / "ai" / "guards" / "x.json",
                   project.data / FOLDER / "no-amend.00"):  # fmt: skip
        assert project.before("Write", file_path=str(target), content="{}").denied
        patch = f"*** Begin Patch\n*** Add File: {target}\n+{{}}\n*** End Patch"
        assert project.before("apply_patch", command=["apply_patch", patch]).denied


# --- both paths -----------------------------------------------------------------------------------


def heard_of(example: Example, cwd: str) -> Heard:
    body = {
        "session_id": "s",
        "cwd": cwd,
        "hook_event_name": "PreToolUse",
        "tool_name": example.tool,
        "tool_input": dict(example.input),
    }
    return hear("claude-code", "PreToolUse", json.dumps(body).encode())


def both(heard: Heard, place: Place, kept: SnapshotCache) -> bool:
    """Whether the quick path decided, and then as the slow one does."""
    quick = decide_quickly(heard, place, kept.read)
    if quick is None:
        return False
    assert quick == decide_slowly(heard, place)
    return True


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "ai" / "guards"


def test_the_quick_path_decides_as_the_slow_one_with_guards(config: Path, tmp_path: Path) -> None:
    project = new_project(tmp_path)
    made = (
        in_production(replace(force_push(), scope="universal")),
        in_production(EVERYWHERE),
        in_shadow(replace(EVERYWHERE, id="watching", decision="ask")),
        _forged(LearnedMatcher(command=("git",)), "wide"),
        _forged(LearnedMatcher(paths=("src/**",)), "sources", decision="ask"),
        _forged(LearnedMatcher(contains=("hello",)), "texts"),
        _forged(LearnedMatcher(tools=("read",), fields={"path": "src/a.py"}), "reads", shadow=True),
    )
    for record in made:
        write_object(config / f"{record.id}.json", dump_record(record))
    place = place_of(str(project.root), str(project.data))
    body = write_rules(place)
    assert len(body["guards"]) == len(made), body["problems"]
    kept = SnapshotCache()
    compared = 0
    for sent in bodies(11, 400, str(project.root)):
        try:
            heard = hear(sent.cli, sent.event, sent.raw)
        except (ValueError, RecursionError):
            continue
        place = place_of(heard.scene.cwd, str(project.data))
        compared += heard.event.gate and both(heard, place, kept)
    assert compared > 150
    assert both(
        heard_of(bash(ASKED), str(project.root)),
        place_of(str(project.root), str(project.data)),
        kept,
    )


def _forged(matcher: LearnedMatcher, id: str, *, shadow: bool = False, **more: Any) -> GuardRecord:
    """A guard that is about far more than any promotion would let it be."""
    guard = replace(EVERYWHERE, id=id)
    record = in_shadow(guard) if shadow else in_production(guard)
    wide = replace(guard, matcher=matcher, **more)
    from paige.guard.guards.parser import digest_of  # noqa: PLC0415

    versions = []
    for each in record.lineage.versions:
        history = tuple(
            step._replace(metrics={**step.metrics, "digest": digest_of(wide)})
            if "digest" in step.metrics
            else step
            for step in each.history
        )
        versions.append(replace(each, value=wide if each.value else None, history=history))
    return replace(record, lineage=replace(record.lineage, versions=tuple(versions)))


def test_any_guard_and_any_call_is_decided_the_same_on_both_paths(
    config: Path, tmp_path: Path
) -> None:
    root = tmp_path / "app"
    (root / ".git").mkdir(parents=True)
    place = place_of(str(root), str(tmp_path / "data"))
    rules = write_rules(place)
    snapshot = Path(snapshot_path(place.data, ""))
    met: list[bool] = []

    @settings(
        max_examples=examples(80), deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
    @given(matcher=matchers, call=calls, shadow=st.booleans(), asks=st.booleans())
    @example(matcher=QUIET.matcher, call=bash(ASKED), shadow=True, asks=False)
    @example(matcher=QUIET.matcher, call=bash("git status"), shadow=True, asks=False)
    def same(matcher: LearnedMatcher, call: Example, shadow: bool, asks: bool) -> None:
        guard = replace(QUIET, matcher=matcher, decision="ask" if asks else "deny")
        guards = (compiled(guard, shadow=shadow),)
        snapshot.write_bytes(dump_snapshot({**rules, "guards": guards}))
        heard = heard_of(call, str(root))
        quick = decide_quickly(heard, place)
        if quick is not None:
            assert quick == decide_slowly(heard, place)
            met.append(bool(quick.noted))

    same()
    assert any(met)
    assert not all(met)


def test_a_change_to_a_guard_file_makes_the_snapshot_old(config: Path, tmp_path: Path) -> None:
    project = new_project(tmp_path)
    place = place_of(str(project.root), str(project.data))
    assert write_rules(place)["guards"] == ()
    kept = SnapshotCache()
    heard = heard_of(bash(ASKED), str(project.root))
    assert both(heard, place, kept)
    write_object(config / "no-amend.json", dump_record(in_production(EVERYWHERE)))
    assert decide_quickly(heard, place, kept.read) is None  # no longer fresh
    assert decide_slowly(heard, place).rule == "guard:no-amend"
    quick = decide_quickly(heard, place, kept.read)
    assert quick is not None
    assert quick.rule == "guard:no-amend"
    later = time.time() + 5
    write_object(config / "no-amend.json", dump_record(in_shadow(EVERYWHERE)))
    os.utime(config / "no-amend.json", (later, later))
    assert decide_slowly(heard, place).noted == {"shadow": ["no-amend"]}
