"""Many clients in one process, each with a ledger of what servers acknowledged.

Started with a JSON file: the addresses of the servers, how many clients, how often they write. A
client stays with a server until that fails, then goes to the next one and asks for what it missed
by the number of the last event. When a line with a number comes on standard input, nobody writes
any more, everybody catches up to that event, and a report is printed.
"""

import asyncio
import hashlib
import json
import random
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.server.plan_window import yes

HELLO = {"version": "1", "platform": "soak", "windowSize": {"width": 800, "height": 600}}
CATCH_UP_SECONDS = 90.0
RUN_SECONDS = 180.0
NETWORK = (OSError, TimeoutError, WebSocketException, httpx2.HTTPError)


@dataclass(slots=True)
class Client:
    """One client: where it stands, what was acknowledged, what was wrong."""

    name: str
    place: int
    last: int | None = None
    seen: dict[int, str] = field(default_factory=dict)
    kept: dict[str, str] = field(default_factory=dict)
    runs: dict[str, str] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    refused: int = 0
    moved: int = 0


def say(words: str) -> None:
    """Tell whoever started this."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


class Crowd:
    """All clients of this process."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.servers: list[tuple[str, int, int]] = [tuple(each) for each in config["servers"]]
        self.pause: float = config["pause"]
        first, number = config["first"], config["clients"]
        self.clients = [Client(f"c{first + n}", (first + n)) for n in range(number)]
        self.runners = config["runners"]
        self.random = random.Random(config["first"])
        self.stopping = asyncio.Event()
        self.until = 0

    def address(self, client: Client) -> tuple[str, int, int]:
        """Where a client goes now: host, port, and the port the server believes it has."""
        return self.servers[client.place % len(self.servers)]

    def move(self, client: Client) -> None:
        """Try the next server."""
        client.place += 1
        client.moved += 1

    async def run(self) -> None:
        """Work until told to stop, then report."""
        async with httpx2.AsyncClient(timeout=20) as http:
            tasks = [asyncio.create_task(self.listen(each)) for each in self.clients]  # noqa: TID251
            acts = [asyncio.create_task(self.write(http, each)) for each in self.clients]  # noqa: TID251
            acts += [
                asyncio.create_task(self.plan(http, each))  # noqa: TID251
                for each in self.clients[: self.runners]
            ]
            say("clients run")
            await asyncio.to_thread(sys.stdin.readline)
            self.stopping.set()
            await asyncio.gather(*acts)
            say("nobody writes")
            self.until = int(await asyncio.to_thread(sys.stdin.readline))
            _, late = await asyncio.wait(tasks, timeout=CATCH_UP_SECONDS)
            for task in late:
                task.cancel()
            for task in tasks:
                if task.done() and not task.cancelled() and task.exception():
                    raise task.exception() or AssertionError
        say(json.dumps(self.report()))

    def report(self) -> dict[str, Any]:
        """What came of it."""
        digest: dict[int, str] = {}
        wrong = [f"{each.name}: {words}" for each in self.clients for words in each.wrong]
        for client in self.clients:
            for seq, said in client.seen.items():
                if digest.setdefault(seq, said) != said:
                    wrong.append(f"{client.name}: event {seq} is another one here")
            if (client.last or 0) < self.until:
                wrong.append(f"{client.name}: stands at {client.last} of {self.until}")
        return {
            "kept": {path: text for each in self.clients for path, text in each.kept.items()},
            "runs": {run: state for each in self.clients for run, state in each.runs.items()},
            "events": {str(seq): said for seq, said in digest.items()},
            "heard": sum(len(each.seen) for each in self.clients),
            "refused": sum(each.refused for each in self.clients),
            "moved": sum(each.moved for each in self.clients),
            "wrong": wrong[:50],
        }

    # --- Listening --------------------------------------------------------------------------------

    async def listen(self, client: Client) -> None:
        """Hear events, at whichever server answers, until everything was heard."""
        while not self._has_all(client):
            host, port, named = self.address(client)
            try:
                async with connect(
                    f"ws://127.0.0.1:{named}/ws", host=host, port=port, open_timeout=10,
                    ping_interval=10, ping_timeout=10, max_size=None,
                ) as socket:  # fmt: skip
                    said = {
                        **HELLO,
                        **({} if client.last is None else {"lastEventId": client.last}),
                    }
                    await socket.send(json.dumps({"type": "connection:hello", "payload": said}))
                    while not self._has_all(client):
                        async with asyncio.timeout(25):  # a heartbeat comes every 15 seconds
                            self._take(client, json.loads(await socket.recv()))
            except NETWORK:
                self.move(client)
                await asyncio.sleep(0.2 + self.random.random())

    def _has_all(self, client: Client) -> bool:
        return bool(self.until) and (client.last or 0) >= self.until

    def _take(self, client: Client, frame: dict[str, Any]) -> None:
        seq = frame.get("seq")
        if frame["type"] == "connection:resync":
            client.wrong.append("was told to read everything again")
        if frame.get("durable"):
            if client.last is not None and seq <= client.last and seq in client.seen:
                client.wrong.append(f"event {seq} came twice")
            body = json.dumps([frame["type"], frame["payload"]], sort_keys=True)
            client.seen[seq] = hashlib.sha256(body.encode()).hexdigest()[:16]
        if seq is not None:
            client.last = max(client.last or 0, seq)

    # --- Writing ----------------------------------------------------------------------------------

    async def write(self, http: httpx2.AsyncClient, client: Client) -> None:
        """Write now and then; what is acknowledged goes into the ledger."""
        number = 0
        while not self.stopping.is_set():
            try:
                pause = self.pause * (0.5 + self.random.random())
                await asyncio.wait_for(self.stopping.wait(), pause)
                return
            except TimeoutError:
                number += 1
            path, text = f"notes/{client.name}-{number}.md", f"{client.name} {number}\n"
            status, _ = await self.ask(
                http, client, "PUT", "/api/plan/file", params={"path": path}, json={"text": text}
            )
            if status == 200:
                client.kept[path] = text

    async def ask(
        self, http: httpx2.AsyncClient, client: Client, method: str, path: str, **more: Any
    ) -> tuple[int, Any]:
        """One request; 0 when nobody answered."""
        host, port, named = self.address(client)
        headers = {"Host": f"127.0.0.1:{named}"}
        try:
            answer = await http.request(
                method, f"http://{host}:{port}{path}", headers=headers, **more
            )
        except NETWORK:
            client.refused += 1
            return 0, None
        if answer.status_code >= 500:
            client.refused += 1
            if answer.status_code != 503:
                client.wrong.append(f"{method} {path}: {answer.status_code}")
        return answer.status_code, answer.json()

    # --- Runs -------------------------------------------------------------------------------------

    async def plan(self, http: httpx2.AsyncClient, client: Client) -> None:
        """Have lessons planned, one after another; every one must come to its end."""
        while not self.stopping.is_set():
            body = {"command": "create-lesson", "input": "Counting loops"}
            status, begun = await self.ask(http, client, "POST", "/api/plan/runs", json=body)
            if status == 200:
                client.runs[begun["run"]] = "begun"
                await self._to_the_end(http, client, begun)
            else:
                await asyncio.sleep(2)

    async def _to_the_end(
        self, http: httpx2.AsyncClient, client: Client, begun: dict[str, Any]
    ) -> None:
        until = asyncio.get_running_loop().time() + RUN_SECONDS
        while asyncio.get_running_loop().time() < until:
            await asyncio.sleep(1)
            where = f"/api/plan/sessions/{begun['session']}"
            status, session = await self.ask(http, client, "GET", where)
            if status != 200:
                client.place += 1
                continue
            run = next(each for each in session["runs"] if each["id"] == begun["run"])
            client.runs[begun["run"]] = f"{run['state']} {run['status']} {run.get('reason')}"
            if run["state"] == "ended":
                return
            for gate in run["gates"]:
                if gate["answeredAt"] is None:
                    client.place += 1  # every question at another server
                    reply = {"revision": gate["revision"], "reply": yes(gate["interaction"])}
                    to = f"/api/plan/runs/{begun['run']}/gates/{gate['gate']}"
                    await self.ask(http, client, "POST", to, json=reply)


if __name__ == "__main__":
    asyncio.run(Crowd(json.loads(Path(sys.argv[1]).read_text())).run())
