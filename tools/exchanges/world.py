"""One Paige on a fresh folder, and the doors through which a script talks to it."""

import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx2
from mcp.types import LATEST_PROTOCOL_VERSION

from tests import live, nursery
from tests.server.windows import Window, window
from tools.exchanges.plain import Plain
from tools.exchanges.process import CLOCK

Json = dict[str, Any]
BEGINNING = 1_772_452_800  # 2026-03-02 12:00 UTC, a Monday
KEPT = ("content-type", "cache-control", "content-disposition", "location", "retry-after",
        "www-authenticate", "allow")  # fmt: skip
SECONDS = 60.0
PEOPLE = {"lena": "learner", "tom": "teacher", "dev": "developer", "ada": "admin"}
"""Those who have an account where accounts are on, each with one role."""

nursery.PROGRAM = [
    "env", "PYTHONHASHSEED=0", sys.executable, "-m", "tools.exchanges.process",
]  # fmt: skip


class World:
    """A home, a project, a server, and everything that was exchanged with them."""

    def __init__(self, subject: str, folder: Path, stack: ExitStack) -> None:
        self.subject = subject
        self.folder = folder
        self.project = folder / "my-project"
        self.teaching = folder / "teaching"
        self.exchanges: list[Json] = []
        self.plain = Plain(folder)
        self.environment = {
            "DATA_DIR": str(folder / ".paige"),
            "PROJECT_DIR": str(self.project),
            "PAIGE_WORKSPACE": str(folder / "workspace"),
            "PAIGE_TEACHING_DIR": str(self.teaching),
            "AI_MEMORY_PATH": str(folder / "memory"),
            "PAIGE_PROVIDER": "local",
            "COLUMNS": "100",
            CLOCK: str(folder / "clock"),
        }
        self._names: dict[str, int] = {}
        self._stack = stack
        self._seconds = BEGINNING
        (folder / "clock").touch()
        for each in (self.project, self.teaching, folder / "workspace"):
            each.mkdir()
        self.tick()
        make_project(self.project)

    def tick(self) -> None:
        """A second passes."""
        self._seconds += 1
        os.utime(self.folder / "clock", (self._seconds, self._seconds))

    def note(self, door: str, name: str, request: Any, answer: Json) -> None:
        """Keep an exchange."""
        number = self._names[name] = self._names.get(name, 0) + 1
        at = len(self.exchanges) + 1
        name = f"{self.subject} {door} {name}" + (f" #{number}" if number > 1 else "")
        kept = {"request": self.plain.value(request, at), **self.plain.value(answer, at)}
        self.exchanges.append({"door": door, "name": self.plain.text(name, 0), **kept})

    def serve(self, name: str = "", **extra: str) -> "Server":
        """Start a server; it ends with the world."""
        variables = {**self.environment, **extra}
        opened = self._stack.enter_context(live.live_paige(self.folder, **variables))
        self.plain.hide(f"127.0.0.1:{opened.port}", f"address{name}")
        threading.Thread(target=_drain, args=(opened.process,), daemon=True).start()
        return Server(self, opened, name)

    def run(self, *arguments: str, stdin: str = "", quiet: bool = False, **extra: str) -> Any:
        """Run a command of `paige` to its end; return what it printed."""
        self.tick()
        cwd = self.folder
        try:
            done = live.run_paige(cwd, *arguments, stdin=stdin, **{**self.environment, **extra})
        except subprocess.TimeoutExpired:
            done = subprocess.CompletedProcess(arguments, -1, "", "did not end")
        if not quiet:
            request = {"arguments": list(arguments), **({"stdin": stdin} if stdin else {})}
            answer = {"exit": done.returncode, "stderr": done.stderr.splitlines()}
            name = " ".join(each if len(each) < 60 else f"{each[:57]}…" for each in arguments)
            self.note("cli", name, request, {**answer, **_printed(done.stdout)})
        return done.stdout

    def printed(self, *arguments: str, **extra: str) -> Any:
        """The same for a command that prints JSON."""
        return json.loads(self.run(*arguments, **extra))


class Server:
    """A running server, with a client for every door."""

    def __init__(self, world: World, opened: live.Live, name: str) -> None:
        self.world = world
        self.url = opened.url
        self.ws = opened.ws
        self.http = Client(world, opened.url, name)

    def described(self) -> Json:
        """What the server says of its routes."""
        return httpx2.get(f"{self.url}/api/openapi.json", timeout=SECONDS).json()

    def as_person(self, person: str, token: str) -> "Client":
        """A client that acts as somebody."""
        return Client(self.world, self.url, f" as {person}", {"authorization": f"Bearer {token}"})

    def call(self, tool: str, arguments: Any = None, label: str = "") -> Any:
        """Call a tool; return what it says, as JSON where it is JSON."""
        answer = self.mcp("tools/call", {"name": tool, "arguments": arguments or {}}, quiet=True)
        shown = answer.get("result", answer.get("error"))
        request = {"tool": tool, "arguments": arguments}
        self.world.note("mcp", f"{tool}{label}", request, {"answer": _said(shown)})
        return shown.get("structuredContent") or shown

    def mcp(self, method: str, params: Json, *, quiet: bool = False) -> Json:
        """Send one request of the protocol."""
        self.world.tick()
        meta = {
            "io.modelcontextprotocol/protocolVersion": LATEST_PROTOCOL_VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "exchanges", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        headers = {
            "accept": "application/json, text/event-stream",
            "mcp-protocol-version": LATEST_PROTOCOL_VERSION,
            "mcp-method": method,
            **({"mcp-name": params["name"]} if "name" in params else {}),
        }
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        with httpx2.Client(timeout=SECONDS) as http:
            said = http.post(f"{self.url}/mcp", json=request, headers=headers)
        lines = [line[6:] for line in said.text.splitlines() if line.startswith("data: ")]
        answer = json.loads(lines[-1] if lines else said.text)
        if not quiet:
            self.world.note("mcp", method, params, {"status": said.status_code, "answer": answer})
        return answer

    @contextmanager
    def window(self, **hello: object) -> Iterator[Window]:
        """A window that has said hello."""
        with window(self.ws, **hello) as opened:
            yield opened


class Client(httpx2.Client):
    """An HTTP client whose requests are noted."""

    def __init__(self, world: World, url: str, name: str = "", headers: Any = None) -> None:
        super().__init__(base_url=url, timeout=SECONDS, headers=headers)
        self.world = world
        self._name = name

    def request(self, method: str, url: Any, *, label: str = "", **given: Any) -> httpx2.Response:
        """Send a request and note what came."""
        self.world.tick()
        answer = super().request(method, url, **given)
        sent = {
            name: {"bytes": len(value)} if isinstance(value, bytes) else value
            for name, value in given.items()
            if value is not None and name in ("params", "json", "content")
        }
        path = answer.request.url.raw_path.decode()
        headers = {name: answer.headers[name] for name in KEPT if name in answer.headers}
        self.world.note(
            "rest",
            f"{method.upper()} {path}{label}{self._name}",
            {"method": method.upper(), "path": path, **sent},
            {"status": answer.status_code, "headers": headers, "body": _body(answer)},
        )
        return answer


def make_project(folder: Path) -> None:
    """A small git project."""
    files = {
        "README.md": "# Cart\n\nAdds up what is in a cart.\n",
        "src/cart.py": "def total(prices):\n    return sum(prices)\n",
        "tests/test_cart.py": "from src.cart import total\n\n\ndef test_total():\n"
        "    assert total([1, 2]) == 3\n",
        "issues.json": json.dumps(
            [{"number": 7, "title": "Add a discount", "labels": ["good first issue"],
              "body": "A cart over 100 gets ten per cent off."}]
        ),
    }  # fmt: skip
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    at = "2026-03-01T12:00:00Z"
    who = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at, "HOME": str(folder.parent)}
    for line in (
        "init -q -b main", "add -A", "-c user.name=Ann -c user.email=a@b.c commit -q -m Begin",
    ):  # fmt: skip
        subprocess.run(["git", *line.split()], cwd=folder, check=True, env={**os.environ, **who})


def scripted(world: World, part: Callable[..., None], *more: Any) -> None:
    """Run a part of a script; where it stops short, that is noted and the next one begins."""
    try:
        part(world, *more)
    except Exception as error:  # noqa: BLE001 - the next part can still be compared
        told = f"{type(error).__name__}: {error}"
        world.note("script", part.__name__, {}, {"stopped": told})


def _drain(process: Any) -> None:
    for _ in process.stdout:
        pass


def _printed(text: str) -> Json:
    """What a command printed: JSON as a value, with how it was laid out."""
    try:
        value = json.loads(text)
    except ValueError:
        pass
    else:
        if isinstance(value, dict | list):
            return {"layout": "a line" if text.count("\n") < 2 else "indented", "stdout": value}
    lines = text.splitlines()
    if not lines:
        return {"stdout": []}
    try:
        return {"layout": "lines of JSON", "stdout": [json.loads(line) for line in lines]}
    except ValueError:
        return {"stdout": lines}


def _body(answer: httpx2.Response) -> Any:
    kind = answer.headers.get("content-type", "")
    if "json" in kind:
        return _printed(answer.text)["stdout"]
    if answer.content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(answer.content)) as opened:
            return {"holds": sorted(opened.namelist())}
    if kind.startswith("text/html"):
        return {"html": len(answer.content) > 0}
    try:
        return answer.content.decode().splitlines()
    except UnicodeDecodeError:
        return {"begins": answer.content[:4].hex(" ")}


def _said(result: Json) -> Any:
    """What a tool said, once: as a structure, or as text."""
    if "content" not in result:
        return result
    structured = result.get("structuredContent")
    texts = [each.get("text", each["type"]) for each in result["content"]]
    try:
        same = json.loads(texts[0]) in (structured, (structured or {}).get("result"))
    except (ValueError, IndexError):
        same = False
    shown = {"structure": structured, "text is the same": True} if same else {"text": texts}
    return {"isError": result.get("isError", False), **shown}
