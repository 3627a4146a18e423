"""Study at every door: courses, sessions, every kind of exercise, undo, files, imports."""

import io
import json
import os
import zipfile

from tests.server.study_window import Learner, picture
from tests.study import small_course, small_courses
from tools.exchanges.world import Server, World

WHERE = {
    "worksheet": ("malay", "greetings"),
    "conversation": ("memory", "spacing"),
    "code": ("algorithms", "search"),
    "long_form": (small_course.FIVE, "shape"),
    "image_review": (small_course.FIVE, "drawing"),
    "flashcard": ("malay", "greetings"),
    "repl": ("algorithms", "search"),
    "audio": ("malay", "greetings"),
    "collaborative": ("algorithms", "search"),
}

CSV = b"front,back\ndog,anjing\ncat,kucing\nbird,burung\n"
SPEAKER = '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -w ] && out="$2"; shift; done\ncat > "$out"\n'
"""A program that is asked to speak, and writes the words instead of a sound."""
LEAP = "track/exercises/practice/leap"
TRACK = {
    "track/config.json": json.dumps(
        {
            "slug": "python",
            "language": "Python",
            "exercises": {"practice": [{"slug": "leap", "name": "Leap", "uuid": "1"}]},
        }
    ),
    f"{LEAP}/.meta/config.json": json.dumps(
        {"files": {"solution": ["leap.py"], "test": ["leap_test.py"], "example": [".meta/e.py"]}}
    ),
    f"{LEAP}/.meta/e.py": "def leap(year):\n    return year % 4 == 0\n",
    f"{LEAP}/.docs/instructions.md": "# Instructions\n\nSay whether a year is a leap year.\n",
    f"{LEAP}/leap.py": "def leap(year):\n    pass\n",
    f"{LEAP}/leap_test.py": "import unittest\nfrom leap import leap\n\n\n"
    "class LeapTest(unittest.TestCase):\n    def test_four(self):\n"
    "        self.assertTrue(leap(2024))\n",
}


def zipped(files: dict[str, str]) -> bytes:
    """Files as one."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return data.getvalue()


def prepare(world: World) -> None:
    """Four small courses, on a machine that can speak."""
    speaker = world.folder / "bin" / "espeak-ng"
    speaker.parent.mkdir()
    speaker.write_text(SPEAKER)
    speaker.chmod(0o755)
    world.environment["PATH"] = f"{speaker.parent}:{os.environ['PATH']}"
    small_courses.malay(world.teaching)
    small_courses.algorithms(world.teaching)
    small_courses.memory(world.teaching)
    small_course.write_five(world.teaching)


def rest(world: World, server: Server) -> None:
    """By REST."""
    http = server.http
    for path in ("", "/courses/malay", "/courses/python-algorithms", "/profile"):
        http.get(f"/api/study{path}")
    http.post("/api/study/courses", json={"name": "mine", "template": "language", "title": "Mine"})
    http.post("/api/study/courses", json={"name": "mine", "template": "language"})
    for kind, data in (("csv", CSV), ("exercism", zipped(TRACK)), ("anki", b"no package")):
        query = {"kind": kind, "name": f"from-{kind}", "file": f"a.{kind}"}
        http.post("/api/study/import", params=query, content=data)
    for modality in WHERE:
        _exercise(world, server, modality)
    _session(world, server)
    for to in ("csv", "anki", "xapi", "pdf"):
        http.get("/api/study/export", params={"course": "malay", "to": to})
    profile = {"sessionMinutes": 20, "preferred": ["flashcard"], "retention": 0.85,
               "zone": "Asia/Kuching", "exams": {"malay": "2026-06-01"}}  # fmt: skip
    http.put("/api/study/profile", json=profile)
    http.put("/api/study/profile", json={"zone": "Nowhere/Land"})
    http.get("/api/study/profile")
    for course in ("malay", "algorithms", "nowhere"):
        http.get("/api/study/progress", params={"course": course})
    http.get("/api/study")
    http.get("/api/study", params={"learner": "somebody"})


def _exercise(world: World, server: Server, modality: str) -> None:
    course, concept = WHERE[modality]
    learner = Learner(server.http, world.teaching, course)  # type: ignore[arg-type]
    learner.start(kind="quiz", quiz={"concepts": [concept]}, prefer=modality, anew=True)
    if learner.step["exercise"]["modality"] != modality:
        learner.act("instead", modality=modality)
    learner.try_to("hint")
    learner.try_to("answer", step=99, text="late")
    learner.try_to("answer", text="surely wrong", sure=True)
    learner.look()
    learner.finish_exercise()
    learner.look()


def _session(world: World, server: Server) -> None:
    """A session that teaches, its files, an upload, a run, and taking back."""
    http = server.http
    learner = Learner(http, world.teaching, small_course.FIVE)  # type: ignore[arg-type]
    learner.start(minutes=30)
    for _ in range(5):
        match learner.step["stage"], learner.step["expects"]:
            case _, "nothing":
                break
            case "check", _:
                learner.act(text="It is halved each time.")
            case _:
                learner.answer_rightly()
    http.post("/api/study/undo", json=learner.who)
    http.post("/api/study/undo", json={**learner.who, "change": "nothing-like-it"})
    learner.to_exercise("code", "doubling")
    [path, *_] = learner.step["exercise"]["open"]
    shown = learner.get("/session/file", path=path).json()
    learner.get("/session/file", path="../../secret")
    for version in ("old", shown["version"]):
        text = {"text": shown["text"] + "\n# more\n", "version": version}
        http.put("/api/study/session/file", params={**learner.who, "path": path}, json=text)
    http.post("/api/study/session/run", json=learner.who)
    http.post("/api/study/session/run/stop")
    for act in ("hint", "give_up", "skip", "stop", "dance"):
        learner.look()
        learner.try_to(act)
    learner.to_exercise("image_review", "drawing")
    learner.upload("tree.png", picture())
    learner.upload("tree.exe", b"MZ")
    learner.look()
    for each in learner.step["exercise"]["uploads"]:
        learner.get("/session/upload", path=each["path"])
    learner.get("/session/audio", question="none")
    spoken = Learner(http, world.teaching, "malay")  # type: ignore[arg-type]
    spoken.to_exercise("audio", "greetings")
    for each in spoken.known()["exercise"]["items"][:3]:
        spoken.get("/session/audio", question=each["id"])
    spoken.try_to("stop")
    spoken.start(kind="review", anew=True)


def mcp(world: World, server: Server) -> None:
    """By MCP."""
    step = server.call("study_next", {"course": "memory", "kind": "quiz", "anew": True})
    for given in ({"hint": True}, {"answer": "surely wrong"}, {"skip": True}, {"giveUp": True}):
        server.call("study_submit", {"course": "memory", "step": step["step"], **given})
        step = server.call("study_next", {"course": "memory"})
    server.call("study_submit", {"course": "memory", "step": 99, "answer": "late"})
    server.call("study_submit", {"course": "memory", "step": step["step"], "stop": True})
    server.call("study_next", {"course": "memory", "kind": "study", "minutes": 10})
    server.call("study_next", {"course": "nowhere"})
    for course in ("memory", "nowhere", None):
        server.call("study_progress", {"course": course})


def cli(world: World) -> None:
    """On the command line."""
    for form in ((), ("--json",)):
        learner = ("--learner", f"ann{len(form)}", *form)
        world.run("study", "courses", *form)
        world.run("study", "courses", "malay", *form)
        world.run("study", "courses", "nowhere", *form)
        world.run("study", "new", f"new{len(form)}", "--from", "technical", *form)
        world.run("study", "new", "malay", *form)
        world.run("study", "start", "--course", "malay", "--seed", "1", *learner)
        for act in (
            ("--done",), ("--answer", "the time of day"), ("--hint",), ("--answer", "no idea"),
            ("--rate", "right"), ("--skip",), ("--give-up",), ("--step", "99"), (),
            ("--instead", "flashcard"), ("--answer", "x", "--sure"), ("--stop",),
        ):  # fmt: skip
            world.run("study", "next", "--seed", "1", *act, *learner)
        world.run("study", "quiz", "--course", "memory", "--seed", "2", "--count", "2", *learner)
        world.run("study", "review", "--cards", "--new", *learner)
        world.run("study", "due", *learner)
        world.run("study", "due", "--at", "2026-04-02T12:00:00Z", *learner)
        world.run("study", "progress", "--course", "malay", *learner)
        world.run("study", "profile", *learner)
        changed = ("--minutes", "15", "--prefer", "flashcard", "--easy", "sat,sun", "--class", "3B")
        world.run("study", "profile", *changed, *learner)
        world.run("study", "profile", "--retention", "7", *learner)
        world.run("study", "fit", *learner)
        world.run("study", "fit", "--reset", *learner)
    _files(world)


def _files(world: World) -> None:
    (world.folder / "deck.csv").write_bytes(CSV)
    for more in ((), ("--json",), ("--both-ways", "--as", "both")):
        world.run("study", "import", "csv", "deck.csv", *more)
    world.run("study", "import", "csv", "missing.csv")
    world.run("study", "import", "anki", "deck.csv")
    for to in ("csv", "xapi", "anki"):
        world.run("study", "export", to, "malay")
    world.run("study", "export", "csv", "nowhere")
    [sheet, *_] = sorted(world.teaching.glob("learner/**/*.md")) or [world.folder / "none.md"]
    for more in ((), ("--json",), ("--hints", "2")):
        world.run("study", "grade", str(sheet), *more)
    lines = [
        {"id": "1", "question": "Why?", "reference": "because of rain", "answer": "it rained"},
        {"id": "2", "question": "Why?", "reference": "because of rain", "answer": "no idea"},
        {"question": 7},
    ]
    batch = "\n".join(map(json.dumps, lines)) + "\nnot json\n"
    world.run("study", "mark", "--jsonl", stdin=batch)
    world.run("study", "mark", stdin=batch)
    told = [
        {"id": "1", "level": 1, "question": "2+2?", "answers": ["4"], "reply": "It is 4."},
        {"id": "2", "level": 1, "question": "2+2?", "answers": ["4"], "reply": "Count."},
        {"reply": 7},
    ]
    world.run("study", "disclose", "--jsonl", stdin="\n".join(map(json.dumps, told)) + "\n")
