"""Runs a coding CLI against a scripted model where there is no network but loopback.

The test starts this file in a network namespace of its own; it brings loopback up there, serves the
model, runs the program to its end and writes down what the model was asked.
"""

import fcntl
import json
import socket
import struct
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from tests.fakes.agent_models import HOSTS, Play, Turn
from tests.fakes.served_model import served_model

_SIOCSIFFLAGS, _UP_AND_RUNNING = 0x8914, 0x1 | 0x40
SECONDS = 150
URL = "{model}"  # stands for the model's address in arguments, variables and files


def main() -> None:
    """Read the order from a file and write the outcome beside it."""
    order = json.loads(Path(sys.argv[1]).read_text())
    if order["namespace"]:
        _loopback_up()
    play = Play(*([Turn(**turn) for turn in turns] for turns in (order["main"], order["sub"])))
    host = HOSTS[order["cli"]]
    with served_model() as model:
        model.answers_with(lambda request: host.reply(request, play))
        for name in order["files"]:
            path = Path(name)
            path.write_text(path.read_text().replace(URL, model.url))
        done = subprocess.run(
            order["command"],
            cwd=order["cwd"],
            env={key: value.replace(URL, model.url) for key, value in order["env"].items()},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        asked = [{"path": each.path, "body": each.body} for each in model.requests]
    outcome = {
        "code": done.returncode,
        "stdout": done.stdout,
        "stderr": done.stderr,
        "asked": asked,
        "interfaces": [name for _, name in socket.if_nameindex()],
        "reachable": _reachable(),
    }
    Path(sys.argv[2]).write_text(json.dumps(outcome))


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        wanted = struct.pack("16sh", b"lo", _UP_AND_RUNNING)
        fcntl.ioctl(made, _SIOCSIFFLAGS, wanted)


def _reachable() -> bool:
    """Whether there is a way out of this machine; no packet is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as made:
        try:
            made.connect(("192.0.2.1", 9))
        except OSError:
            return False
    return True


def order_of(turns: list[Turn]) -> list[dict[str, object]]:
    """Turns as they are written into an order."""
    return [asdict(turn) for turn in turns]


if __name__ == "__main__":
    main()
