"""A run of a host that died is taken over when its lease ran out, and not before."""

import os
import shutil
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from paige.agent.run_lease import LEASE_SECONDS
from tests.fakes.served_model import served_model
from tests.live import Live
from tests.many_servers.cluster import cluster
from tests.many_servers.soak_world import Named, SoakServer
from tests.plan.planning import WORKSPACE, write_files
from tests.server.plan_window import Teacher, teacher_at
from tests.server.test_plan_runs import drafted, to_the_draft
from tests.server.windows import Window

SKEWS = (0.0, 7200.0)


def _teacher(stack: ExitStack, server: SoakServer) -> Teacher:
    assert server.process is not None
    live = Live(server.process, f"http://127.0.0.1:{server.port}", [])
    return stack.enter_context(teacher_at(live))


def _wait_until_asked(window: Window, run: str) -> None:
    """Wait as long as a lease takes; a heartbeat comes more often than a window gives up."""
    for _ in range(1000):
        try:
            told = window.expect("plan:run")
        except TimeoutError:
            continue
        if told["run"] == run and told["state"] == "waiting":
            return
    raise AssertionError("the run did not go on")


@pytest.mark.soak
@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("unshare"), reason="only root can name a host"
)
@pytest.mark.parametrize("place", [0, 1], ids=["the right clock dies", "the wrong clock dies"])
def test_a_run_goes_on_at_another_host_within_two_leases(
    tmp_path: Path, place: int, record_property: Any
) -> None:
    workspace = write_files(tmp_path / "workspace", WORKSPACE)
    with cluster() as own, served_model() as model, ExitStack() as stack:
        network = stack.enter_context(Named.made(own))
        extra = {
            **model.variables, "PAIGE_FALLBACK": "none", "PAIGE_WORKSPACE": str(workspace)
        }  # fmt: skip
        two = []
        for number, skew in enumerate(SKEWS):
            home = tmp_path / f"server{number}"
            home.mkdir()
            two.append(SoakServer(number, network, home, skew=skew, extra=extra))
            two[-1].start()
            stack.callback(two[-1].kill)
        dying, living = two[place], two[1 - place]
        there = _teacher(stack, living)
        with ExitStack() as short:
            here = _teacher(short, dying)
            model.keeps_silent()
            begun = to_the_draft(here)
            assert model.asked.wait(30)
        model.answers_with(lambda _: drafted())
        dying.kill()
        died = time.monotonic()
        there.window.frames.clear()
        while _hooks(there, begun) == {"feedforward"}:
            _wait_until_asked(there.window, begun["run"])
        took = time.monotonic() - died
    record_property("seconds", round(took, 1))
    assert len(model.requests) == 2  # once in vain, once by the server that went on
    assert LEASE_SECONDS / 2 < took < 2 * LEASE_SECONDS


def _hooks(teacher: Teacher, begun: dict[str, Any]) -> set[str]:
    """Who has asked so far; their order goes by clocks, of which one is wrong."""
    return {gate["hook"] for gate in teacher.run(begun["session"], begun["run"])["gates"]}
