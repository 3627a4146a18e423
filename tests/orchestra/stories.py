"""What the stories of an orchestra share: a project, its person's commands, and runs in a row."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.paths import shipped
from paige.guard.state.evidence_files import Evidence, fresh, read_evidence
from paige.guard.state.features import Feature, read_features, write_features
from paige.orchestra.running.conductor import Report, conduct
from paige.orchestra.running.parts import Orchestra
from paige.orchestra.running.runners import Runner
from tests import nursery
from tests.guard.gate_project import Project
from tests.orchestra.liars import BIN, Act, Liars, Script, conductor_session, environment, noted
from tests.orchestra.players import local_models

POLICY = '[promotion]\npromote = "policy"\n'
# This person lets memory rest, so that a story about guards does not wait for it.
RESTING = "[events]\nsession_start = []\nstop = []\npost_tool = []\npost_tool_failure = []\n"


@dataclass(frozen=True, slots=True)
class Told:
    """What came of one run: the conductor's report, what agents did, what hooks wrote down."""

    report: Report
    acts: Sequence[Act]
    lines: Sequence[Mapping[str, Any]]

    def refused(self, lie: str) -> list[Act]:
        """The lies of a kind that were refused."""
        return [act for act in self.acts if act.lie == lie and act.refused]

    def passed(self, lie: str) -> list[Act]:
        """The lies of a kind that nobody refused."""
        return [act for act in self.acts if act.lie == lie and not act.refused]

    def denied(self) -> list[Mapping[str, Any]]:
        """What the hooks refused."""
        return [each for each in self.lines if each.get("decision") in ("deny", "keep_working")]

    def shadowed(self) -> set[str]:
        """The guards that noted something without deciding."""
        return {id for each in self.lines for id in each.get("shadow", ())}


@dataclass(slots=True)
class Story:
    """A project of a person, in which one run follows another."""

    project: Project
    runs: list[Told] = field(default_factory=list[Told])
    heard: set[str] = field(default_factory=set[str])

    @property
    def home(self) -> Path:
        """The person's home."""
        return self.project.data.parent / "home"

    def settle_in(self, policy: str = POLICY) -> None:
        """Let the person's own files say that guards are promoted by policy; memory rests."""
        folder = self.home / ".config" / "ai" / "guard"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "learning.toml").write_text(policy, encoding="utf-8")
        (folder / "phases.toml").write_text(RESTING, encoding="utf-8")

    def paige(self, *words: str) -> str:
        """Type a command of Paige in the project."""
        done = nursery.run(
            [str(BIN / "paige"), *words],
            cwd=self.project.root,
            env={**environment(self.home), "DATA_DIR": str(self.project.data)},
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"paige {' '.join(words)}: {done.stderr}{done.stdout}"
        return done.stdout

    def learn(self) -> dict[str, Any]:
        """Learn from what happened and take the proposals over."""
        return json.loads(self.paige("guard", "learn", "--apply", "--json"))

    def guards(self) -> dict[str, dict[str, Any]]:
        """The learned guards by id."""
        rows = json.loads(self.paige("guard", "guards", "--json"))["guards"]
        return {row["id"]: row for row in rows}

    def play(self, ids: Sequence[str], scripts: Mapping[tuple[str, str], tuple[Script, ...]],
             sessions: Sequence[str] = ()) -> Told:  # fmt: skip
        """Give the project features and let scripted agents build them."""
        runner = Liars(self.project.data, scripts)
        for session in sessions:
            runner.acts += conductor_session(self.project, session)
        return self.conduct(ids, runner, runner.acts)

    def conduct(self, ids: Sequence[str], runner: Runner, acts: list[Act]) -> Told:
        """Let agents build some more features."""
        before = read_features(self.project.root) or ()
        write_features(self.project.root, (*before, *(Feature(id, f"Part {id}") for id in ids)))
        made = Orchestra(
            root=self.project.root,
            data=self.project.data,
            runner=runner,
            models=local_models(),
            actor=Actor(),
            now=system_clock,
            randomness=os.urandom,
            instructions=instructions,
        )
        report = anyio.run(conduct, made)
        lines = [each for each in noted(self.project.data) if each["id"] not in self.heard]
        self.heard |= {str(each["id"]) for each in lines}
        told = Told(report, list(acts), lines)
        self.runs.append(told)
        return told

    def proof(self, id: str) -> Evidence | None:
        """The sealed run of tests behind a feature, if there is one."""
        found = read_evidence(self.project.root, self.project.data).records
        own = [each for each in found if each.feature == id and each.good]
        return fresh(own, id, own[-1].tree_hash) if own else None


def instructions(agent: str) -> str:
    """The shipped agent's text, as the orchestra hands it on."""
    path = shipped(f"integrations/agents/{agent}.md")
    return path.read_text("utf-8").split("---", 2)[2].strip() if path.is_file() else ""
