"""Plan at every door: files, runs with questions, lessons, handouts, answers, curricula."""

from contextlib import ExitStack

from tests.fakes.served_model import served_model
from tests.loops.answering import RIGHT, SHEET, WRONG, fill_in
from tests.plan.planning import WORKSPACE, lesson_text, write_files
from tests.server.plan_window import Json, Teacher, open_gate, yes
from tools.exchanges.world import Server, World

LESSON = "lessons/2026-03-01-3B-loops.md"
PAGE = "worksheets/loops.md"
FORMS = ("docx", "pdf", "md", "slides", "worksheet", "qti", "ics", "clay")


def prepare(world: World) -> None:
    """A workspace with two classes, a lesson and a worksheet."""
    write_files(
        world.folder / "workspace", {**WORKSPACE, LESSON: lesson_text() + "\n", PAGE: SHEET}
    )


def rest(world: World, server: Server) -> None:
    """By REST."""
    http = server.http
    _files(server)
    with server.window() as opened:
        teacher = Teacher(http, opened)
        begun = teacher.ask("loops for 3B")
        _questions(teacher, begun)
        _finish(teacher, begun)
        _sessions(server, begun)
        _stopped(teacher)
    for path in ("/proposals", "/lessons", "/files", ""):
        http.get(f"/api/plan{path}")
    _handouts(world, server)


def by_model(world: World, server: Server) -> None:
    """A lesson that a model on loopback writes."""
    with ExitStack() as stack:
        model = stack.enter_context(served_model())
        model.says(lesson_text())
        world.plain.hide(model.url.partition("//")[2], "model")
        extra = {**model.variables, "PAIGE_PROVIDER": "anthropic", "PAIGE_FALLBACK": "none"}
        asking = world.serve(" by a model", **extra)
        with asking.window() as opened:
            teacher = Teacher(asking.http, opened)
            begun = teacher.ask("loops for 3B", classId="3B")
            _finish(teacher, begun)
            again = teacher.ask("make it shorter", "refine-lesson", session=begun["session"])
            _finish(teacher, again)
            asking.http.post(f"/api/plan/runs/{begun['run']}/branch", json={"input": "for 1B"})
            model.keeps_silent()
            begun = teacher.ask("selection for 1B")
            gate = open_gate(teacher.until(begun["run"], "waiting"))
            teacher.answer(gate, yes(gate["interaction"]))
            model.asked.wait(20)
            asking.http.post(f"/api/plan/runs/{begun['run']}/stop")
            teacher.until(begun["run"], "interrupted", "ended")
            model.says(lesson_text())
            asking.http.post(f"/api/plan/runs/{begun['run']}/continue")
            _finish(teacher, begun)
        asking.http.get("/api/traces")
        asking.http.get("/api/costs")


def _files(server: Server) -> None:
    http = server.http
    for path in ("", "/files", "/lessons", "/proposals", "/sessions"):
        http.get(f"/api/plan{path}")
    for path in (LESSON, "lessons/none.md", "../up.md", "memory/x.md"):
        http.get("/api/plan/file", params={"path": path})
        http.get("/api/plan/lesson", params={"path": path})
        http.get("/api/plan/lines", params={"path": path, "start": 1, "end": 3})
    new = {"path": "notes/new.md"}
    made = http.put("/api/plan/file", params=new, json={"text": "# New\n"}).json()
    http.put("/api/plan/file", params=new, json={"text": "# Newer\n", "version": "old"})
    changed = {"text": "# Newer\n", "version": made["version"]}
    made = http.put("/api/plan/file", params=new, json=changed).json()
    http.delete("/api/plan/file", params={**new, "version": "old"})
    http.delete("/api/plan/file", params={**new, "version": made["version"]})
    for to in FORMS:
        http.get("/api/plan/export", params={"path": LESSON, "to": to})


def _questions(teacher: Teacher, begun: Json) -> None:
    """Answers that do not fit, before the one that does."""
    gate = open_gate(teacher.until(begun["run"], "waiting"))
    right = yes(gate["interaction"])
    teacher.answer(gate, {"picked": {"": {"option": "explode"}}})
    teacher.answer(gate, {"texts": ["words"]})
    teacher.answer(gate, right, revision=7)
    teacher.answer({**gate, "gate": "hook/pre_loop/nobody/1"}, right)
    teacher.answer(gate, right)
    teacher.answer(gate, right)
    busy = {"command": "refine-lesson", "input": "x", "session": begun["session"]}
    teacher.http.post("/api/plan/runs", json=busy)


def _finish(teacher: Teacher, begun: Json) -> None:
    teacher.finish(begun["run"])
    seen = [(frame["type"], frame["payload"]) for frame in teacher.window.frames]
    states = [told for type, told in seen if type == "plan:run" and told["run"] == begun["run"]]
    files = [told for type, told in seen if type == "plan:file"]
    told = {"states": states, "files": sorted(files, key=str)}
    teacher.window.frames.clear()
    teacher.http.world.note("socket", "plan: a run to its end", begun, told)


def _sessions(server: Server, begun: Json) -> None:
    http, session, run = server.http, begun["session"], begun["run"]
    http.get("/api/plan/sessions", params={"query": "loops", "class": "3B", "limit": 5})
    http.get("/api/plan/sessions", params={"plugin": "nothing"})
    http.get(f"/api/plan/sessions/{session}", params={"from": 1, "limit": 1})
    http.post(f"/api/plan/runs/{run}/continue")
    http.post(f"/api/plan/runs/{run}/stop")
    http.get("/api/traces")
    http.get("/api/traces", params={"door": "plan", "query": "loops", "status": "success"})
    for path in ("", "/journal", "/journal/1", "/moments", "/span"):
        http.get(f"/api/traces/{run}{path}")
    http.get(f"/api/traces/{run}/span", params={"step": "t1"})
    http.get("/api/costs", params={"days": 2, "zone": "Europe/London"})


def _stopped(teacher: Teacher) -> None:
    begun = teacher.ask("selection for 1B")
    teacher.until(begun["run"], "waiting")
    teacher.http.post(f"/api/plan/runs/{begun['run']}/stop")
    teacher.http.get(f"/api/plan/sessions/{begun['session']}")
    teacher.http.post(f"/api/plan/runs/{begun['run']}/continue")


def _handouts(world: World, server: Server) -> None:
    http = server.http
    asked = {"path": PAGE, "classId": "3B", "tokens": 6}
    made = http.post("/api/plan/handouts", json=asked).json()
    http.post("/api/plan/handouts", json={**asked, "path": "none.md"})
    for number, code in enumerate(made["codes"]):
        answers = {name: [text] for name, text in (RIGHT if number % 2 else WRONG).items()}
        http.get(f"/api/answer/{code}")
        http.put(f"/api/answer/{code}", json={"answers": answers, "version": 0})
        http.put(f"/api/answer/{code}", json={"answers": answers, "version": 0})
        http.put(f"/api/answer/{code}", json={"answers": answers, "version": 1, "handIn": True})
    id = made["item"]["id"]
    http.get("/api/plan/handouts", params={"class": "3B"})
    for act in ("close", "close", "open", "keep"):
        http.post(f"/api/plan/handouts/{id}/{act}")
        http.get(f"/api/plan/handouts/{id}")
    http.get("/api/plan/classes/3B/misconceptions")


def afterwards(world: World, server: Server) -> None:
    """By REST, about what the command line left."""
    http = server.http
    decisions = ("confirmed", "edited", "dismissed", "dance")
    for proposal, decision in zip(http.get("/api/plan/proposals").json(), decisions, strict=False):
        given = {"decision": decision, "text": "Loops went well."}
        http.post(f"/api/plan/proposals/{proposal['key']}", json=given)
    http.get("/api/plan/proposals")


def cli(world: World) -> None:
    """On the command line."""
    for form in ((), ("--json",)):
        world.run("plan", "list", *form)
        world.run("plan", "create-lesson", f"loops for 3B {len(form)}", "--yes", *form)
        world.run("plan", "nothing-like-it", "x", *form)
        world.run("plan", "sessions", *form)
        world.run("plan", "check-evidence", LESSON, *form)
        world.run("plan", "check-evidence", "-", *form, stdin="# Nothing\n\n- TCH 9-99z\n")
        world.run("plan", "handouts", *form)
        world.run("plan", "misconceptions", "--class", "3B", *form)
        world.run("plan", "curriculum", "list", *form)
        world.run("plan", "curriculum", "list", "--code", "TCH 3-15a", *form)
        world.run("plan", "workspace", "export", "there", *form)
        world.run("plan", "workspace", "import", "there", *form)
        handed = ("--class", "3B", "--tokens", "2", "--address", "http://school.test")
        world.run("plan", "handout", PAGE, *handed, *form)
    session = world.printed("plan", "sessions", "--json")[0]["session"]
    for form in ((), ("--json",)):
        world.run("plan", "trace", session, *form)
        world.run("plan", "resume", session, "shorter", "--yes", *form)
        world.run("trace", "list", *form)
        world.run("trace", "show", session, *form)
    for to in ("otlp", "json"):
        world.run("trace", "export", session, "--to", to)
    for to in FORMS:
        world.run("plan", "export", LESSON, "--to", to, "--out", f"out.{to}")
    world.run("plan", "export", session, "--to", "md", "--out", "-")
    _answers(world)
    world.run("plan", "create-lesson", "loops", "--class", "9Z", "--yes")
    world.run("plan", "repl", "create-lesson", "--yes", stdin="/help\nloops for 3B\n/quit\n")
    world.run("plan", "curriculum", "export", "cfe-computing")
    (world.folder / "own.csv").write_text("code,outcome\nX 1,Say what a loop is.\n")
    world.run("plan", "curriculum", "import", "own.csv", "--subject", "Computing", "--json")
    world.run("plan", "research", "export", "--to", "csv", "--out", "rows", "--json")
    world.run("eval", "list")
    world.run("eval", "run", "--suite", "nothing")
    world.run("eval", "compare", "none", "none")


def _answers(world: World) -> None:
    [handout, *_] = world.printed("plan", "handouts", "--json")
    id = handout["id"]
    (world.folder / "filled").mkdir()
    (world.folder / "filled" / "a.md").write_text(fill_in(SHEET, ["C", "0", "for"]))
    world.run("plan", "answers", id, "--files", "filled", "--json")
    for act in ((), ("--close",), ("--open",), ("--keep", "--yes")):
        world.run("plan", "answers", id, *act)
        world.run("plan", "answers", id, *act, "--json")
    world.run("plan", "answers", "nobody-has-this")
