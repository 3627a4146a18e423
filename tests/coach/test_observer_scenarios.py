"""The observer over real sockets: a model on the real wire, a clock that is moved by hand."""

import asyncio
import logging
from pathlib import Path
from typing import Any

import anyio.lowlevel
import pytest

from paige.coach.observer.rules import MOST_IDLE_LOOKS
from tests.coach.observing import ME, RIGHT, WRONG, Ground, nudge, observed, opened, until
from tests.fakes.wire_bodies import ANTHROPIC
from tests.models.logged_calls import api_calls

pytestmark = pytest.mark.anyio
MINUTE = 60


async def test_scenario_10_1_observer_starts_on_session_creation(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        nobody = ground.state
        await ground.window.send("session:start", issueNumber=1)
        status = await ground.window.wait("observer:status")
        await ground.clock.fell_asleep()
        state = ground.state
        timers = ground.clock.timers

    assert nobody is None
    assert status == {"active": True, "muted": False, "lastEvaluation": None}
    assert state is not None
    assert (state.active, state.muted, state.last_evaluation) == (True, False, None)
    assert timers == 1


async def test_scenario_10_2_observer_stops_on_session_end(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        await ground.call("paige_end_session", session_transcript="It went well.")
        status = await ground.window.wait("observer:status")
        while ground.clock.timers:
            await anyio.lowlevel.checkpoint()
        await ground.open(WRONG)
        after = ground.state

    assert (status["active"], status["muted"]) == (False, False)
    assert after is None
    assert ground.model.asked == []


async def test_scenario_10_3_file_open_triggers_evaluation_nudge_sent(tmp_path: Path) -> None:
    about = {"current_file": WRONG, "expected_file": RIGHT, "time_in_file": "3m12s"}
    async with observed(tmp_path) as ground:
        session = await planned(ground)
        ground.model.says = [
            nudge(True, 0.85, "wrong_file", **about, phase_description="Find the OAuth callback.")
        ]
        before = len(ground.model.asked)
        await ground.open(WRONG)
        heard = await ground.window.wait("observer:nudge")
        sent = await ground.logged(session, "nudge_sent")
        state = ground.state
        [request] = ground.model.asked[before:]
        context = ground.model.contexts[before]

    assert heard == {
        "signal": "wrong_file",
        "confidence": 0.85,
        "context": {**about, "phase_description": "Find the OAuth callback."},
    }
    assert sent == [{"signal": "wrong_file", "confidence": 0.85}]
    assert state is not None
    assert state.last_nudge == ground.clock.now()
    assert "haiku" in request.body["model"]
    assert context["current_phase"]["expected_files"] == [RIGHT]
    assert context["recent_actions"][0]["type"] == "file_open"
    assert context["recent_actions"][0]["path"] == WRONG


async def test_scenario_10_4_buffer_edit_threshold_triggers_evaluation(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        for number in range(4):
            await ground.type(RIGHT, f"x = {number}\n")
        four = ground.state
        asked_after_four = len(ground.model.asked)
        await ground.type(RIGHT, "x = 5\n")
        await ground.evaluated(1)
        five = ground.state

    assert four is not None
    assert five is not None
    assert (four.buffer_updates, asked_after_four) == (4, 0)
    assert five.buffer_updates == 0
    assert len(ground.model.asked) == 1


async def test_scenario_10_5_idle_timeout_triggers_evaluation(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        ground.model.says = [nudge(True, 0.8, "idle")]
        ground.clock.go_on(4 * MINUTE)
        await ground.clock.fell_asleep()
        early = len(ground.model.asked)
        ground.clock.go_on(MINUTE + 1)
        heard = await ground.window.wait("observer:nudge")
        sent = await ground.logged(session, "nudge_sent")

    assert early == 0
    assert heard["signal"] == "idle"
    assert sent == [{"signal": "idle", "confidence": 0.8}]
    assert ground.model.contexts[0]["user_idle"] is True


@pytest.mark.parametrize("status", ["active", "complete"])
async def test_scenario_10_6_phase_transition_triggers_evaluation(
    tmp_path: Path, status: str
) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        await ground.plan(session)
        await ground.call("paige_update_phase", phase=1, status=status)
        await ground.evaluated(1)

    kind = "phase_started" if status == "active" else "phase_completed"
    assert kind in [each["type"] for each in ground.model.contexts[0]["recent_actions"]]


async def test_scenario_10_7_cooldown_suppresses_nudge(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await nudged(ground)
        ground.clock.go_on(90)
        await ground.save(WRONG)
        kept = await ground.logged(session, "nudge_suppressed")
        within = len(ground.model.asked)
        ground.clock.go_on(31)
        await ground.save(WRONG)
        await ground.evaluated(within + 1)

    assert kept == [{"reason": "cooldown"}]
    assert within == 1
    assert len(ground.model.asked) == 2


async def test_scenario_10_8_flow_state_suppresses_evaluation(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        for number in range(11):
            await ground.window.send("editor:tab_switch", fromPath=None, toPath=f"f{number}.py")
            ground.clock.go_on(4)
            await ground.settle()
        await ground.open(RIGHT)
        kept = await ground.logged(session, "nudge_suppressed")
        in_flow = len(ground.model.asked)
        ground.clock.go_on(61)
        await ground.save(RIGHT)
        await ground.evaluated(1)

    assert kept == [{"reason": "flow_state"}]
    assert in_flow == 0


async def test_scenario_10_9_low_confidence_suppresses_nudge(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        ground.model.says = [nudge(True, 0.5, "scope_drift")]
        await ground.open(RIGHT)
        kept = await ground.logged(session, "nudge_suppressed")
        sent = await ground.actions(session, "nudge_sent")
        shown = await ground.settle()

    assert kept == [{"signal": "scope_drift", "confidence": 0.5, "reason": "low_confidence"}]
    assert sent == []
    assert "observer:nudge" not in shown


async def test_scenario_10_10_triage_returns_no_nudge(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        await ground.open(RIGHT)
        await ground.evaluated(1)
        state = ground.state
        said = await ground.actions(session, "nudge_sent", "nudge_suppressed")

    assert state is not None
    assert state.last_evaluation == ground.clock.now()
    assert state.last_nudge is None
    assert said == []


async def test_scenario_10_11_user_mutes_observer(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        status = await mute(ground, muted=True)
        said = await ground.logged(session, "observer_muted")
        state = ground.state

    assert (status["active"], status["muted"]) == (True, True)
    assert said == [{"muted": True}]
    assert state is not None
    assert state.muted


async def test_scenario_10_12_user_unmutes_observer(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        await mute(ground, muted=True)
        status = await mute(ground, muted=False)
        said = await ground.logged(session, "observer_muted", 2)
        await ground.open(RIGHT)
        await ground.evaluated(1)

    assert (status["active"], status["muted"]) == (True, False)
    assert said[-1] == {"muted": False}


async def test_scenario_10_13_muted_observer_ignores_triggers(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        await mute(ground, muted=True)
        await ground.open(WRONG)
        await ground.save(WRONG)
        for number in range(6):
            await ground.type(WRONG, f"x = {number}\n")
        ground.clock.go_on(6 * MINUTE)
        await ground.clock.fell_asleep()
        state = ground.state
        said = await ground.actions(session, "nudge_sent", "nudge_suppressed")

    assert state is not None
    assert not state.evaluating
    assert ground.model.asked == []
    assert said == []


async def test_scenario_10_14_triage_api_call_fails(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        ground.model.says = [ANTHROPIC.error(401, "authentication_error", "no such key")]
        await ground.open(RIGHT)
        await ground.evaluated(1)
        calls = await ground.database.read(api_calls, ME)
        ground.model.says = [nudge(True, 0.9, "wrong_file", current_file=WRONG)]
        await ground.open(WRONG)
        heard = await ground.window.wait("observer:nudge")
        sent = await ground.logged(session, "nudge_sent")

    assert [(call.call_type, call.latency_ms) for call in calls] == [("observer_triage", -1)]
    assert heard["signal"] == "wrong_file"
    assert len(sent) == 1


async def test_scenario_10_15_no_active_phase_observer_still_works(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        await ground.open(RIGHT)
        await ground.evaluated(1)

    assert ground.model.contexts[0]["current_phase"] is None


async def test_scenario_10_16_no_dreyfus_assessments_defaults_to_novice(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        await ground.open(RIGHT)
        await ground.evaluated(1)
        await ground.assess("competent")
        await ground.save(RIGHT)
        await ground.evaluated(2)

    assert [each["dreyfus_stage"] for each in ground.model.contexts] == ["novice", "competent"]
    assert ground.model.contexts[0]["time_since_last_save"] == "never"
    assert ground.model.contexts[1]["time_since_last_save"] == "0s"


async def test_ec_65_a_trigger_during_a_triage_is_skipped(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        gate = held(ground)
        await ground.open(RIGHT)
        await until(lambda: _asked(ground))
        await ground.save(RIGHT)
        await ground.open(WRONG)
        during = len(ground.model.asked)
        gate.set()
        await ground.evaluated(1)

    assert during == 1
    assert len(ground.model.asked) == 1


async def test_ec_66_what_comes_after_the_end_of_a_session_is_thrown_away(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        gate = held(ground, nudge(True, 0.95, "wrong_file"))
        await ground.open(WRONG)
        await until(lambda: _asked(ground))
        await ground.window.send("session:end")
        await ground.window.wait("session:completed")
        gate.set()

        async def answered() -> list[Any]:
            return await ground.database.read(api_calls, ME)

        calls = await until(answered)
        sent = await ground.actions(session, "nudge_sent")
        shown = await ground.settle()

    assert calls[0].latency_ms >= 0
    assert sent == []
    assert "observer:nudge" not in shown


async def test_ec_67_a_nudge_about_nothing_is_no_nudge(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        ground.model.says = [nudge(True, 0.9, "no_nudge")]
        with caplog.at_level(logging.WARNING, "paige.coach.observer.loop"):
            await ground.open(RIGHT)
            await ground.evaluated(1)
        said = await ground.actions(session, "nudge_sent", "nudge_suppressed")

    assert said == []
    assert "about nothing" in caplog.text


async def test_ec_68_a_nudge_nobody_hears_is_logged_anyway(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        gate = held(ground, nudge(True, 0.9, "wrong_file"))
        await ground.open(WRONG)
        await until(lambda: _asked(ground))
        await ground.window.socket.close()
        gate.set()
        sent = await ground.logged(session, "nudge_sent")

    assert sent == [{"signal": "wrong_file", "confidence": 0.9}]


async def test_ec_69_a_burst_of_saves_is_not_evaluated_each_time(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        ground.model.says = [nudge(True, 0.9, "wrong_file")]
        await ground.save(WRONG, "x = 0\n")
        await ground.settle()  # else so many saves are flow before the first was looked at
        for number in range(1, 20):
            await ground.save(WRONG, f"x = {number}\n")
        kept = await ground.logged(session, "nudge_suppressed")

    assert len(ground.model.asked) == 1
    assert {each["reason"] for each in kept} <= {"cooldown", "flow_state"}


async def test_ec_70_muting_without_a_session_is_ignored(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with observed(tmp_path) as ground:
        with caplog.at_level(logging.WARNING, "paige.coach"):
            await ground.window.send("observer:mute", muted=True)
            await ground.settle()
        session = await ground.start()
        state = ground.state
        said = await ground.actions(session, "observer_muted")

    assert "no session is active" in caplog.text
    assert state is not None
    assert not state.muted
    assert said == []


async def test_ec_71_a_timer_that_fires_after_the_end_does_nothing(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        ground.clock.go_on(6 * MINUTE)  # the timer is due, but the session ends first
        await ground.window.send("session:end")
        await ground.window.wait("session:completed")
        ground.clock.go_on(6 * MINUTE)
        await ground.settle()
        state = ground.state

    assert state is None
    assert len(ground.model.asked) <= 1


async def test_ec_72_low_confidence_again_and_again_keeps_quiet(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        for number in range(5):
            ground.model.says = [nudge(True, 0.6, "scope_drift")]
            await ground.save(WRONG, f"x = {number}\n")
            await ground.evaluated(number + 1)
            ground.clock.go_on(20)
        kept = await ground.logged(session, "nudge_suppressed", 5)
        sent = await ground.actions(session, "nudge_sent")

    assert [each["reason"] for each in kept] == ["low_confidence"] * 5
    assert sent == []


async def test_ec_73_phases_that_change_quickly_are_each_looked_at(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        await ground.plan(session)
        for count, status in enumerate(("active", "complete"), start=1):
            await ground.call("paige_update_phase", phase=1, status=status)
            await ground.evaluated(count)
        ground.model.says = [nudge(True, 0.9, "phase_complete")]
        await ground.call("paige_update_phase", phase=2, status="active")
        await ground.window.wait("observer:nudge")
        await ground.call("paige_update_phase", phase=2, status="complete")
        kept = await ground.logged(session, "nudge_suppressed")

    assert len(ground.model.asked) == 3
    assert kept == [{"reason": "cooldown"}]


async def test_someone_who_is_gone_is_not_looked_at_for_ever(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        await ground.start()
        ground.clock.go_on(5 * MINUTE)
        for number in range(MOST_IDLE_LOOKS + 5):
            await ground.clock.fell_asleep()
            ground.clock.go_on(31)
            await ground.clock.fell_asleep()
            await ground.evaluated(min(number + 1, MOST_IDLE_LOOKS))
        away = len(ground.model.asked)
        await ground.window.send("editor:scroll", path=RIGHT)
        await ground.settle()
        state = ground.state

    assert away == MOST_IDLE_LOOKS
    assert state is not None
    assert state.last_activity == ground.clock.now()


async def test_a_session_of_another_process_is_watched_too(tmp_path: Path) -> None:
    async with observed(tmp_path) as ground:
        session = await ground.start()
        ground.site.coach.observer.follow(ME, None)  # as after a restart of the server
        place = ground.site.coach.place(ME)
        place.session_known = False
        async with opened(ground.url):
            state = ground.state

    assert state is not None
    assert state.session_id == session


async def test_rules_stand_in_for_a_model(tmp_path: Path) -> None:
    """Without a model the rules see the wrong file, and then keep quiet while it is put right."""
    async with observed(tmp_path, local=True) as ground:
        session = await ground.start()
        await ground.plan(session)
        await ground.call("paige_update_phase", phase=1, status="active")
        await ground.rested()
        await ground.open(WRONG)
        for number in range(8):
            ground.clock.go_on(12)
            await ground.type(WRONG, f"x = 1\n{'y' * number}\n")
            await ground.rested()
        await ground.logged(session, "nudge_sent")
        await ground.settle()
        ground.clock.go_on(125)
        await ground.open(RIGHT)
        for number in range(8):
            ground.clock.go_on(12)
            await ground.type(RIGHT, f"x = 1\n{'y' * number}\n")
            await ground.rested()
        await ground.save(RIGHT)
        await ground.settle()
        sent = await ground.actions(session, "nudge_sent")

    [heard] = ground.nudges()
    assert heard["signal"] == "wrong_file"
    assert heard["context"]["current_file"] == WRONG
    assert heard["context"]["expected_file"] == RIGHT
    assert len(sent) == 1


async def planned(ground: Ground) -> str:
    """A session with an active phase, long ago."""
    session = await ground.start()
    await ground.plan(session)
    await ground.call("paige_update_phase", phase=1, status="active")
    await ground.evaluated(1)
    ground.clock.go_on(3 * MINUTE)
    return session


async def nudged(ground: Ground) -> str:
    """A session in which the observer has just spoken."""
    session = await ground.start()
    ground.model.says = [nudge(True, 0.9, "wrong_file")]
    await ground.open(WRONG)
    await ground.window.wait("observer:nudge")
    return session


async def mute(ground: Ground, *, muted: bool) -> Any:
    """Silence the observer, or not; return what the windows are told."""
    ground.clock.go_on(1)  # two actions of one moment have no order
    await ground.window.send("observer:mute", muted=muted)
    return await ground.window.wait("observer:status")


def held(ground: Ground, said: dict[str, Any] | None = None) -> asyncio.Event:
    """Let the model wait with its answer until the event is set."""
    gate = asyncio.Event()
    ground.model.gate = gate
    ground.model.says = [said] if said else []
    return gate


async def _asked(ground: Ground) -> int:
    return len(ground.model.asked)
