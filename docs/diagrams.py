"""The diagrams of the docs. `make docs` draws them into `docs/pictures`; a test says when one is
stale. The one of the rooms is drawn from the imports as they are.
"""

import json
from collections.abc import Mapping
from pathlib import Path

from docs.drawing import Arrow, Box, drawn
from docs.imports import Edges, direct, edges, layers

ROW = 62
WALKS = Path(__file__).with_name("walks.json")
A_MODULE = 3.5
"""How wide a module is, in the picture of the five walks."""
# Where a room stands in its row, so that few lines cross; a new room stands in the middle.
ACROSS = {
    "doors": 400, "hooks": 710, "app": 300,
    "plan": 100, "study": 270, "coach": 440, "orchestra": 600,
    "agent": 110, "learner": 400, "exercise": 330, "guard": 680, "memory": 330,
    "models": 330, "store": 330, "sandbox": 600, "base": 440,
}  # fmt: skip
MIDDLE = 400
DOORS = {"plan": "plan", "study": "study", "coach": "coach", "guard": "guard", "orchestra": "guard"}


def pictures() -> dict[str, str]:
    """Every diagram by file name."""
    return {
        "rooms.svg": rooms(),
        "who-talks-to-whom.svg": who_talks(),
        "life-of-a-run.svg": life_of_a_run(),
        "a-connection.svg": a_connection(),
        "log-and-projections.svg": log_and_projections(),
        "many-servers.svg": many_servers(),
        "doors-that-meet.svg": doors_that_meet(),
        "one-search.svg": one_search(),
        "five-learners.svg": five_learners(),
        "five-walks.svg": five_walks(),
    }


def rooms() -> str:
    """The rooms in their rows, and every import between them."""
    found = edges()
    strong = direct(found)
    rows = layers()
    boxes = {
        room: Box(ACROSS.get(room, MIDDLE), 30 + ROW * number, room, DOORS.get(room, ""), 104, 34)
        for number, row in enumerate(rows)
        for room in row
    }
    arrows = [Arrow(one, other, faint=(one, other) not in strong) for one, other in sorted(found)]
    told = (
        "The rooms in rows, the highest first: "
        + "; ".join(" and ".join(row) for row in rows)
        + ". Every arrow leads downwards. The table below says which room imports which."
    )
    notes = [
        (20, 30 + ROW * len(rows) - 30, "→ an import that no longer way implies"),
        (330, 30 + ROW * len(rows) - 30, "faint: the other imports"),
    ]
    return drawn(boxes, arrows, told=told, size=(800, ROW * len(rows) + 14), notes=notes)


def import_lines(found: Edges) -> list[str]:
    """The same as a table: each room with the rooms it imports, and how often."""
    order = [room for row in layers() for room in row]
    lines = ["| room | imports from |", "|---|---|"]
    for room in order:
        others = [f"`{other}` {found[room, other]}" for other in order if (room, other) in found]
        lines.append(f"| `{room}` | {', '.join(others) or 'nothing'} |")
    return lines


def who_talks() -> str:
    """Who talks to Paige, and what is behind the doors."""
    boxes = {
        "browser": Box(110, 40, "browser"),
        "agent": Box(290, 40, "coding agent"),
        "terminal": Box(470, 40, "terminal"),
        "cli": Box(650, 40, "coding CLI"),
        "server": Box(200, 140, "the server\nHTTP, WebSocket, MCP", "", 190, 50),
        "commands": Box(470, 140, "commands\npaige", "", 150, 50),
        "hooks": Box(650, 140, "hooks\na process an event", "", 150, 50),
        "app": Box(330, 240, "app\nbuilt once from the settings", "", 210, 50),
        "doors": Box(200, 340, "plan · study · coach · orchestra", "study", 270, 40),
        "guard": Box(560, 340, "guard\nrules and learned guards", "guard", 190, 50),
        "ground": Box(200, 430, "agent · learner · exercise", "", 230, 40),
        "memory": Box(440, 430, "memory", "desk", 110),
        "models": Box(200, 520, "models", "", 110),
        "store": Box(440, 520, "store", "", 110),
        "providers": Box(200, 610, "model providers\nif you choose one", "", 150, 50),
        "database": Box(440, 610, "SQLite or PostgreSQL", "desk", 180),
        "log": Box(650, 430, "log of JSON lines", "desk", 150),
        "spool": Box(650, 240, "compiled rules, spool", "guard", 170),
    }
    arrows = [
        Arrow("browser", "server", "HTTP, WebSocket"),
        Arrow("agent", "server", "MCP"),
        Arrow("terminal", "commands"),
        Arrow("cli", "hooks"),
        Arrow("hooks", "spool"),
        Arrow("spool", "guard"),
        Arrow("commands", "server", "paige up"),
        Arrow("server", "app"),
        Arrow("commands", "app"),
        Arrow("app", "doors"),
        Arrow("app", "guard"),
        Arrow("doors", "ground"),
        Arrow("ground", "memory"),
        Arrow("guard", "memory"),
        Arrow("memory", "log"),
        Arrow("ground", "models"),
        Arrow("models", "store"),
        Arrow("memory", "store"),
        Arrow("models", "providers", "HTTPS"),
        Arrow("store", "database"),
    ]
    told = (
        "A browser and a coding agent talk to the server, a terminal to the commands, a coding CLI "
        "starts the hook. Server and commands use the app, which joins the doors. Doors and guard "
        "rest on agent, learner, exercise and memory; these on models and store. The hook reads "
        "compiled rules and leaves a spool, and asks neither the server nor the database."
    )
    return drawn(boxes, arrows, told=told, size=(760, 660))


def life_of_a_run() -> str:
    """The states of a run."""
    boxes = {
        "asked": Box(80, 90, "asked", "", 100),
        "running": Box(300, 90, "running\na process holds the lease", "coach", 200, 56),
        "waiting": Box(640, 90, "waiting\na row, no process", "plan", 160, 56),
        "killed": Box(150, 230, "killed\nthe lease runs out", "guard", 170, 56),
        "ended": Box(640, 230, "ended\none of six status codes", "study", 190, 56),
    }
    arrows = [
        Arrow("asked", "running", "stored"),
        Arrow("running", "waiting", "a gate opens", via=((420, 35), (620, 35))),
        Arrow("waiting", "running", "a person answers"),
        Arrow("running", "killed", "power, kill"),
        Arrow("killed", "running", "another process replays", via=((400, 230),)),
        Arrow("running", "ended", "nothing left to do"),
    ]
    told = (
        "A run is stored, then runs while one process holds its lease. A gate makes it wait as a "
        "row without a process; the answer of a person lets it run again. When its process is "
        "killed, another one replays the journal and goes on. It ends with one of six status codes."
    )
    return drawn(boxes, arrows, told=told, size=(760, 280))


def a_connection() -> str:
    """What a browser and the server say to each other."""
    steps = [
        ("b", "hello, lastEventId 41"),
        ("s", "init (seq 44)"),
        ("s", "event 42, event 44: 43 was for somebody else"),
        ("s", "event 45, as it happens"),
        ("s", "heartbeat (seq 45)"),
    ]
    boxes: dict[str, Box] = {
        "browser": Box(100, 30, "browser", "coach"),
        "server": Box(600, 30, "server", "study"),
    }
    arrows: list[Arrow] = []
    for number, (who, words) in enumerate(steps):
        y = 85 + 40 * number
        boxes[f"b{number}"] = Box(100, y, "", "", 8, 8)
        boxes[f"s{number}"] = Box(600, y, "", "", 8, 8)
        start, end = (f"b{number}", f"s{number}") if who == "b" else (f"s{number}", f"b{number}")
        arrows.append(Arrow(start, end, words))
    told = (
        "The browser says hello with the number 41. The server answers with init and the number "
        "44, then sends events 42 and 44, because 43 was for somebody else, then event 45 as it "
        "happens, then a heartbeat."
    )
    return drawn(boxes, arrows, told=told, size=(700, 290))


def log_and_projections() -> str:
    """One way in, one log, and what is made from it."""
    boxes = {
        "people": Box(100, 50, "people", "", 120),
        "doors": Box(100, 120, "four doors", "study", 120),
        "agents": Box(100, 190, "coding agents", "guard", 120),
        "broker": Box(300, 120, "broker\nscope, owner, names,\nsecrets, duplicates", "", 170, 80),
        "log": Box(510, 120, "log\nonly added to,\na chain of hashes", "desk", 150, 80),
        "words": Box(720, 40, "full text", "", 150),
        "vectors": Box(720, 95, "vectors", "", 150),
        "documents": Box(720, 150, "documents", "", 150),
        "profile": Box(720, 205, "profile, statistics", "", 150),
        "remote": Box(720, 260, "Chroma, pgvector", "", 150),
        "search": Box(930, 95, "search\nwhat you may see", "plan", 150, 56),
        "prompts": Box(930, 180, "prompts of agents", "coach", 150),
    }
    arrows = [
        Arrow("people", "broker"),
        Arrow("doors", "broker"),
        Arrow("agents", "broker"),
        Arrow("broker", "log", "append"),
        *(Arrow("log", each) for each in ("words", "vectors", "documents", "profile", "remote")),
        Arrow("words", "search"),
        Arrow("vectors", "search"),
        Arrow("documents", "prompts"),
        Arrow("search", "prompts"),
    ]
    told = (
        "People, doors and coding agents give memories to the broker, which checks them and "
        "appends them to the log. From the log full text, vectors, documents, profile and remote "
        "stores are made; they can be thrown away and made again. Search and prompts read them."
    )
    notes = [(585, 310, "everything right of the log can be made again from it")]
    return drawn(boxes, arrows, told=told, size=(1020, 330), notes=notes)


def many_servers() -> str:
    """Several servers with one PostgreSQL."""
    boxes = {
        "one": Box(120, 40, "windows", "coach"),
        "two": Box(380, 40, "windows", "coach"),
        "proxy": Box(250, 120, "proxy", "", 110),
        "a": Box(120, 210, "server A\nits own index", "study", 150, 50),
        "b": Box(380, 210, "server B\nits own index", "study", 150, 50),
        "db": Box(
            250,
            330,
            "PostgreSQL\nevents · leases and turns · journal · memory log",
            "desk",
            360,
            56,
        ),
        "gone": Box(640, 210, "server C\nkilled", "guard", 130, 50),
        "lease": Box(640, 330, "lease of its run\nruns out", "plan", 150, 50),
    }
    arrows = [
        Arrow("one", "proxy"),
        Arrow("two", "proxy"),
        Arrow("proxy", "a"),
        Arrow("proxy", "b"),
        Arrow("a", "db", "writes, listens", both=True),
        Arrow("b", "db", "writes, listens", both=True),
        Arrow("gone", "lease", dashed=True),
        Arrow("lease", "b", "B takes the run over", via=((520, 270),)),
    ]
    told = (
        "Windows reach server A and server B through a proxy. Both write to one PostgreSQL and "
        "listen to it; it holds events, leases and turns, the journal and the memory log. Server C "
        "was killed: when the lease of its run ends, server B takes the run over."
    )
    return drawn(boxes, arrows, told=told, size=(740, 380))


def doors_that_meet() -> str:
    """What each door gives the others."""
    boxes = {
        "plan": Box(130, 70, "Plan\nlessons, worksheets", "plan", 190, 56),
        "study": Box(650, 70, "Study\nreviews, stages", "study", 190, 56),
        "coach": Box(650, 370, "Coach\ngaps, katas, hints", "coach", 190, 56),
        "guard": Box(130, 370, "Guard\nblocks, guards", "guard", 190, 56),
        "class": Box(390, 70, "class memory\ntokens, never names", "desk", 170, 56),
        "learner": Box(650, 220, "learner\nwhat one person knows", "desk", 190, 56),
        "memory": Box(390, 220, "memory\none search for all doors", "desk", 200, 56),
        "own": Box(390, 370, "Paige's own agent", "", 160, 40),
    }
    arrows = [
        Arrow("plan", "class", "b", via=((215, 35), (330, 35))),
        Arrow("class", "plan", "b", via=((330, 105), (215, 105))),
        Arrow("study", "class", "d"),
        Arrow("coach", "learner", "a", both=True),
        Arrow("learner", "study", "a", both=True),
        Arrow("guard", "own", "c"),
        Arrow("guard", "memory", "e", dashed=True, both=True),
        Arrow("plan", "memory", "e", dashed=True, both=True),
        Arrow("study", "memory", "e", dashed=True, both=True),
        Arrow("coach", "memory", "e", dashed=True, both=True),
    ]
    told = (
        "Loop a: Coach finds a gap, the learner's file keeps it, Study asks for it again, and the "
        "stage that follows decides how much Coach helps. Loop b: Plan's worksheets are answered "
        "by a class, and the class memory is what the next lesson starts from. Loop c: what Guard "
        "blocked holds for Paige's own agent. Loop d: errors that at least five learners repeat "
        "reach the class memory. Loop e: one search reads the memory of all doors."
    )
    return drawn(boxes, arrows, told=told, size=(780, 430))


def one_search() -> str:
    """One question, asked behind all doors."""
    sources = {
        "plan": "Plan\nsessions, lessons, files",
        "study": "Study\ncourses, concepts",
        "coach": "Coach\nsessions, gaps, katas",
        "guard": "Guard\ndecisions, traces, guards",
        "memory": "Memory\nmemories, documents",
    }
    boxes = {
        "asks": Box(80, 170, "who asks", "", 110),
        "search": Box(240, 170, "one search", "desk", 120),
        "answer": Box(730, 170, "one list\nthe best first", "", 140, 50),
    }
    for number, (door, words) in enumerate(sources.items()):
        kind = door if door != "memory" else "desk"
        boxes[door] = Box(480, 40 + 65 * number, words, kind, 200, 50)
    arrows = [Arrow("asks", "search")]
    for door in sources:
        y = boxes[door].y
        arrows += [Arrow("search", door, via=((365, y),)), Arrow(door, "answer", via=((595, y),))]
    told = (
        "Somebody asks once. The search looks behind Plan, Study, Coach and Guard and in the "
        "memory, each time only at what this reader may see, and answers with one list, the best "
        "first."
    )
    notes = [(640, 320, "only what the reader may see")]
    return drawn(boxes, arrows, told=told, size=(820, 340), notes=notes)


def five_learners() -> str:
    """From errors of learners to the next lesson, without a name."""
    boxes = {
        "study": Box(110, 60, "Study\nresults of learners", "study", 170, 50),
        "sheets": Box(110, 160, "worksheets\nof the class", "plan", 170, 50),
        "count": Box(350, 110, "five learners\nor more?", "desk", 140, 56),
        "list": Box(650, 110, "what the class\ngets wrong", "desk", 150, 56),
        "lesson": Box(650, 220, "Plan\nthe next lesson", "plan", 150, 50),
    }
    arrows = [
        Arrow("study", "count"),
        Arrow("sheets", "count"),
        Arrow("count", "list", "numbers, no names"),
        Arrow("list", "lesson"),
        Arrow("lesson", "sheets", "is taught", via=((110, 220),)),
    ]
    told = (
        "Results of learners in Study and worksheets of the class are counted. What at least five "
        "learners get wrong, as numbers without names, is the list of the class. The next lesson "
        "takes it up, and its worksheet is counted again."
    )
    return drawn(boxes, arrows, told=told, size=(750, 265))


def five_walks() -> str:
    """How many modules of which room five acts pass, before operations and now."""
    figures = json.loads(WALKS.read_text(encoding="utf-8"))
    order = ["cli", "server", *(room for row in layers() for room in row)]  # as it was, and is
    boxes: dict[str, Box] = {}
    notes: list[tuple[float, float, str]] = []
    told: list[str] = []
    y = 24.0
    for walk, now in figures["after"].items():
        notes.append((20, y, f"{walk[0].upper()}{walk[1:]}"))
        for when, passed in (("before", figures["before"][walk]), ("now", now)):
            y += 28
            told.append(f"{walk}, {when}: {passed['modules']} modules")
            notes.append((20, y + 4, when))
            x = 75.0
            for room in sorted(passed["rooms"], key=order.index):
                width = passed["rooms"][room] * A_MODULE
                words = room if width > 8 * len(room) else ""
                kind = DOORS.get(room, "")
                boxes[f"{walk} {when} {room}"] = Box(x + width / 2, y, words, kind, width, 22)
                x += width
            figure = f"{passed['modules']} modules, {passed['functions']} functions"
            notes.append((x + 8, y + 4, figure))
        y += 44
    said = f"The rooms that five acts pass, in modules. {'; '.join(told)}."
    return drawn(boxes, [], told=said, size=(900, round(y)), notes=notes)


def told(name: str, drawings: Mapping[str, str]) -> str:
    """What a diagram says to someone who does not see it."""
    return drawings[name].partition('aria-label="')[2].partition('"')[0]
