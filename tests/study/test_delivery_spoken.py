"""Cards, words to hear and to say, and a pupil to teach."""

import os
import stat
import threading
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from paige.base.errors import BadInput, Unavailable
from paige.exercise.values import Modality
from paige.store.engine import Database
from paige.study.delivery.judge import TutorTurn
from paige.study.delivery.open_exercise import NO_PARTNER, begin, take
from paige.study.delivery.presentation import show
from paige.study.delivery.round_trip import place
from paige.study.delivery.speech import find_speaker, say, write_down
from paige.study.exercise_tools import Speech
from paige.study.generation.generator import generate
from paige.study.values import Answer, Exercise, ExerciseRequest, GaveUp, HintWanted
from tests.conftest import NOON
from tests.fakes.model_server import Hangup, ModelServer, Recorded, Reply
from tests.fakes.served_model import spoken
from tests.study.desks import local_desk, model_desk, says, words_of
from tests.study.kept_sittings import kept
from tests.study.small_courses import algorithms, malay, memory

pytestmark = pytest.mark.anyio


def made(root: Path, modality: Modality, *items: str, **more: Any) -> Exercise:
    wanted = ExerciseRequest(
        concept_id="greetings",
        modality=modality,
        bloom="remember",
        items=items,
        count=len(items) or None,
        **more,
    )
    return generate(malay(root), wanted, seed=2, now=NOON)


# --- cards ----------------------------------------------------------------------------------------


async def test_a_card_is_answered_once_and_then_turned_over(tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    exercise = made(tmp_path, "flashcard", "w-maaf.to", "w-ya.to")
    wrong = await take(desk, begin(exercise, NOON), Answer(text="tolong"), NOON)
    first = exercise.items[0]
    assert wrong.correct is False
    assert wrong.sitting.at == 1
    assert any(first.answers[0] in each for each in wrong.says)
    second = exercise.items[1]
    done = await take(desk, wrong.sitting, Answer(text=second.answers[0]), NOON)
    assert done.evaluated is not None
    result = done.evaluated.result
    assert result.score.percentage == 0.5
    assert not result.answer_shown
    assert result.hints_used == 0


async def test_a_card_that_is_turned_over_is_judged_by_the_learner(tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    exercise = made(tmp_path, "flashcard", "w-maaf.to")
    turned = await take(desk, begin(exercise, NOON), Answer(), NOON)
    assert turned.says == ("The answer: maaf. Maaf, saya lambat. \u2013 Sorry, I am late.", _HOW)
    assert turned.sitting.turned
    again = kept(turned.sitting)
    assert "The answer: maaf." in show(again).body
    done = await take(desk, again, Answer(self_check="right", seconds=3.0), NOON)
    assert done.evaluated is not None
    assert done.evaluated.result.score.percentage == 1.0
    assert done.evaluated.result.modality == "flashcard"


_HOW = "Say how it was: right, partly or wrong."


async def test_cards_that_were_quick_and_right_are_easy(tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    exercise = made(tmp_path, "flashcard", "w-maaf.to")
    done = await take(desk, begin(exercise, NOON), Answer(text="maaf", seconds=2.0), NOON)
    assert done.evaluated is not None
    assert done.evaluated.result.fsrs_rating == 4


# --- heard and said -------------------------------------------------------------------------------


def speaker(root: Path, *, fails: bool = False) -> str:
    """A program that takes the arguments of the real one and writes a recording."""
    path = root / "espeak-ng"
    path.write_text(
        "#!/bin/sh\n"
        'while [ $# -gt 0 ]; do case "$1" in -w) out="$2"; shift;; -v) voice="$2"; shift;;'
        " -s) shift;; esac; shift; done\n"
        + ("exit 1\n" if fails else 'printf "RIFF %s " "$voice" > "$out"; cat >> "$out"\n')
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


async def test_what_is_to_be_heard_is_recorded(tmp_path: Path) -> None:
    desk = local_desk(tmp_path, speech=Speech(speaker=speaker(tmp_path)))
    exercise = await place(desk, made(tmp_path, "audio", "w-maaf.from"), NOON)
    start = begin(exercise, NOON)
    (shown,) = show(start).questions
    assert shown.prompt == "Listen. What does it mean?"
    assert shown.audio is not None
    assert (tmp_path / shown.audio).read_text() == "RIFF ms maaf"
    assert "maaf" not in show(start).body
    done = await take(desk, start, Answer(text="sorry"), NOON)
    assert done.correct


@pytest.mark.parametrize("fails", [True, None], ids=["no such voice", "no speaker"])
async def test_what_nobody_can_say_is_read_instead(fails: bool | None, tmp_path: Path) -> None:
    program = "" if fails is None else speaker(tmp_path, fails=True)
    desk = local_desk(tmp_path, speech=Speech(speaker=program))
    exercise = await place(desk, made(tmp_path, "audio", "w-maaf.from"), NOON)
    (shown,) = show(begin(exercise, NOON)).questions
    assert shown.audio is None
    assert "\u201cmaaf\u201d" in shown.prompt


async def test_what_is_said_is_judged_by_the_learner_when_nobody_listens(tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    exercise = await place(desk, made(tmp_path, "audio", "w-maaf.to"), NOON)
    start = begin(exercise, NOON)
    assert show(start).answered_by == "voice"
    (tmp_path / "said.wav").write_bytes(b"RIFF")
    spoke = await take(desk, start, Answer(path="said.wav"), NOON)
    assert spoke.evaluated is None
    assert spoke.says[-1] == _HOW
    done = await take(desk, spoke.sitting, Answer(self_check="partly"), NOON)
    assert done.evaluated is not None
    assert done.evaluated.result.score.percentage == 0.5


class _Ear(BaseHTTPRequestHandler):
    """Writes down what it is told to have heard."""

    heard: str = ""
    status: int = 200
    bodies: list[bytes]

    def do_POST(self) -> None:
        self.bodies.append(self.rfile.read(int(self.headers["content-length"])))
        words = f'{{"text": "{self.heard}"}}'.encode()
        self.send_response(self.status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(words)))
        self.end_headers()
        self.wfile.write(words)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@contextmanager
def ear(heard: str, status: int = 200) -> Iterator[tuple[Speech, list[bytes]]]:
    bodies: list[bytes] = []
    kind = type("Ear", (_Ear,), {"heard": heard, "status": status, "bodies": bodies})
    server = HTTPServer(("127.0.0.1", 0), kind)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        address = f"http://127.0.0.1:{server.server_port}/v1"
        yield Speech(endpoint=address, key="k", seconds=30.0), bodies
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def test_what_is_said_is_written_down_and_marked(tmp_path: Path) -> None:
    (tmp_path / "said.wav").write_bytes(b"RIFFsound")
    with ear("Maaf.") as (speech, bodies):
        desk = local_desk(tmp_path, speech=speech)
        exercise = await place(desk, made(tmp_path, "audio", "w-maaf.to"), NOON)
        done = await take(desk, begin(exercise, NOON), Answer(path="said.wav"), NOON)
    assert done.correct
    assert b"RIFFsound" in bodies[0]
    assert b'name="language"\r\n\r\nms' in bodies[0]
    assert b"whisper-1" in bodies[0]


async def test_something_else_that_was_heard_is_not_right(tmp_path: Path) -> None:
    (tmp_path / "said.wav").write_bytes(b"RIFFsound")
    with ear("tolong") as (speech, _):
        desk = local_desk(tmp_path, speech=speech)
        exercise = await place(desk, made(tmp_path, "audio", "w-maaf.to"), NOON)
        wrong = await take(desk, begin(exercise, NOON), Answer(path="said.wav"), NOON)
        assert wrong.correct is False
        assert "maaf" not in " ".join(wrong.says).lower()
        hinted = await take(desk, wrong.sitting, HintWanted(), NOON)
    assert "maaf" not in hinted.says[0].lower()


async def test_a_service_that_fails_is_told_and_nothing_is_lost(tmp_path: Path) -> None:
    (tmp_path / "said.wav").write_bytes(b"RIFFsound")
    with ear("", status=400) as (speech, _):
        with pytest.raises(Unavailable, match="not understood"):
            await write_down(speech, tmp_path / "said.wav", "ms")
        with pytest.raises(BadInput):
            await write_down(speech, tmp_path / "nothing.wav", "ms")


def test_the_speaker_is_found_where_it_is_installed(tmp_path: Path) -> None:
    speaker(tmp_path)
    assert find_speaker(str(tmp_path)) == str(tmp_path / "espeak-ng")
    assert find_speaker(str(tmp_path / "empty")) == ""


def test_the_real_speaker_writes_sound(tmp_path: Path) -> None:
    place_ = tmp_path / "word.wav"
    assert say(Speech(speaker=find_speaker(os.environ.get("PATH"))), "selamat pagi", "ms", place_)
    with wave.open(str(place_)) as sound:
        assert sound.getnframes() > 1000


# --- a pupil to teach -----------------------------------------------------------------------------


def pupil(root: Path) -> Exercise:
    wanted = ExerciseRequest(concept_id="spacing", modality="collaborative", bloom="understand")
    return generate(memory(root), wanted, seed=1, now=NOON)


GOOD = "No, recalling it from memory works better than reading it again"


async def test_a_pupil_is_taught_without_a_model(tmp_path: Path) -> None:
    desk = local_desk(tmp_path)
    exercise = pupil(tmp_path)
    start = begin(exercise, NOON)
    assert "Sam" in show(start).body
    assert "Reading a text again is the best way" in show(start).body
    wrong = await take(desk, start, Answer(text="Yes you are right"), NOON)
    assert wrong.correct is False
    assert wrong.says[0] == NO_PARTNER.format(name="Sam")
    assert "recalling" not in " ".join(wrong.says).lower()
    done = await take(desk, wrong.sitting, Answer(text=GOOD), NOON)
    assert done.correct
    assert not any("Sam" in each for each in done.says)
    assert done.evaluated is not None
    assert done.evaluated.result.modality == "collaborative"


async def test_a_model_plays_the_pupil_without_knowing_the_answers(
    tmp_path: Path, db: Database
) -> None:
    exercise = pupil(tmp_path)
    judged = TutorTurn(verdict="incorrect", score=0.1, error_type="", reply="Why would that be?")

    def answer(request: Recorded) -> Reply:
        told = words_of(request)
        return spoken(request, "But I feel I know it!") if "You are Sam" in told else says(judged)

    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.answer_with(answer)
        first = await take(desk, begin(exercise, NOON), Answer(text="no it is not good"), NOON)
        second = await take(desk, first.sitting, Answer(text=GOOD), NOON)
        parts = [words_of(each) for each in server.requests if "You are Sam" in words_of(each)]

    assert first.says[0] == "Sam: But I feel I know it!"
    assert second.correct
    assert len(parts) == 2
    assert "no it is not good" in parts[1]
    assert all("works better than reading" not in parts[0] for each in parts[:1])
    assert first.sitting.partner_session
    assert second.sitting.partner_session == first.sitting.partner_session
    assert second.evaluated is not None
    assert second.evaluated.result.source == "anthropic"


async def test_a_pupil_who_tells_the_answer_is_kept_from_it(tmp_path: Path, db: Database) -> None:
    exercise = pupil(tmp_path)
    leak = "Oh, so recalling it from memory works better than reading it again?"
    judged = TutorTurn(verdict="incorrect", score=0.1, error_type="", reply="Say why.")

    def answer(request: Recorded) -> Reply:
        return spoken(request, leak) if "You are Sam" in words_of(request) else says(judged)

    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.answer_with(answer)
        taken = await take(desk, begin(exercise, NOON), Answer(text="you are wrong, Sam"), NOON)
    assert "works better than reading it again" not in " ".join(taken.says)


async def test_nobody_plays_the_pupil_when_the_model_fails(tmp_path: Path, db: Database) -> None:
    exercise = pupil(tmp_path)
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.answer_with(lambda _: Hangup())
        taken = await take(desk, begin(exercise, NOON), Answer(text="you are wrong"), NOON)
        ended = await take(desk, taken.sitting, GaveUp(), NOON)
    assert taken.says[0] == NO_PARTNER.format(name="Sam")
    assert ended.evaluated is not None


async def test_a_programming_partner_is_asked_in_its_own_session(
    tmp_path: Path, db: Database
) -> None:
    wanted = ExerciseRequest(
        concept_id="search", modality="collaborative", bloom="apply", items=("b-code",)
    )
    exercise = generate(algorithms(tmp_path), wanted, seed=1, now=NOON)
    async with ModelServer() as server, model_desk(tmp_path, db, server) as desk:
        server.answer_with(lambda request: spoken(request, "Good. And an empty list?"))
        taken = await take(desk, begin(exercise, NOON), Answer(text="1"), NOON)
        told = words_of(server.requests[0])
    assert taken.says[0] == "Robin: Good. And an empty list?"
    assert "You are Robin" in told
    assert "low = middle + 1" not in told
