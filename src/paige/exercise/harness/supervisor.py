"""The first program of a test run: starts the tests as a process, passes on what is proven.

It alone holds the way out for results. What the tests' process says comes over a pipe, each message
signed with a key that only the two know; anything else on that pipe makes the run void. When that
process ends without its signed last word, this is what is passed on.

Its standard input is a JSON object: the command of the tests' process, and what that one needs.
"""

import hashlib
import hmac
import json
import marshal
import os
import select
import signal
import struct
import sys
from typing import NoReturn

HEAD = struct.Struct(">I32s")
MOST_MESSAGE = 400_000
MOST_TOTAL = 3_500_000
_LOOK_SECONDS = 0.02
_PR_SET_DUMPABLE = 4


def main() -> NoReturn:
    """Start the tests, pass on what they prove, end as they ended."""
    plan = json.loads(sys.stdin.buffer.read())
    result = int(os.environ.pop("PAIGE_RESULT_FD"))
    key = os.urandom(32)
    said, saying = os.pipe()
    asked, asking = os.pipe()
    child = os.fork()
    if child == 0:
        for fd in (said, asking, result):
            os.close(fd)
        _become(plan, asked, saying)
    os.close(saying)
    os.close(asked)
    # Only now that nobody can look into this process does the other get the key and begin.
    make_private()
    os.write(asking, key)
    os.close(asking)
    status = Relay(result, key).follow(child, said)
    os._exit(128 - status if status < 0 else status)


def make_private() -> None:
    """Let no other process read the memory or the open files of this one."""
    import ctypes  # noqa: PLC0415 - not to be there in the process of the tests

    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _become(plan: dict, asked: int, saying: int) -> NoReturn:
    os.set_inheritable(asked, True)
    os.set_inheritable(saying, True)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.environ["PAIGE_KEY_FD"] = str(asked)
    os.environ["PAIGE_SAY_FD"] = str(saying)
    command = [*plan["command"], json.dumps(plan["tests"])]
    try:
        os.execv(command[0], command)
    finally:
        os._exit(127)


class Relay:
    """Reads signed messages, and passes them on as lines of JSON."""

    def __init__(self, result: int, key: bytes) -> None:
        self.result = result
        self.key = key
        self.waiting = b""
        self.number = 0
        self.total = 0
        self.void = False
        self.closed = False

    def follow(self, child: int, said: int) -> int:
        """Listen until the process ends; returns its exit code, negative for a signal."""
        os.set_blocking(said, False)
        status = None
        while status is None:
            select.select([said], [], [], _LOOK_SECONDS)
            ended, state = os.waitpid(child, os.WNOHANG)
            status = os.waitstatus_to_exitcode(state) if ended else None
            open_ = self.listen(said)
            if not open_ and status is None:  # it closed its end: nothing more can be proven
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        # What it left running must not go on while the results are read.
        self.pass_on("ended", {"status": status, "closed": self.closed})
        return status

    def listen(self, said: int) -> bool:
        """Take what is there; False when the other end is closed."""
        while True:
            try:
                part = os.read(said, 65_536)
            except BlockingIOError:
                return True
            if not part:
                return False
            if not self.void:
                self.waiting += part
                self.take()

    def take(self) -> None:
        """Pass on every whole message that is proven."""
        while len(self.waiting) >= HEAD.size and not self.void:
            length, mark = HEAD.unpack_from(self.waiting)
            if length > MOST_MESSAGE:
                self.refuse()
                return
            if len(self.waiting) < HEAD.size + length:
                return
            body = self.waiting[HEAD.size : HEAD.size + length]
            self.waiting = self.waiting[HEAD.size + length :]
            if not hmac.compare_digest(hmac.digest(self.key, body, hashlib.sha256), mark):
                self.refuse()
                return
            # Node writes JSON; what Python writes never begins like that.
            number, kind, value = json.loads(body) if body[:1] == b"[" else marshal.loads(body)
            if number != self.number:
                self.refuse()
                return
            self.number += 1
            self.closed = self.closed or kind == "closed"
            self.pass_on(kind, value)

    def refuse(self) -> None:
        """Something that is not signed: somebody else wrote."""
        self.void = True
        self.pass_on("void", "channel")

    def pass_on(self, kind: str, value: object) -> None:
        """One line for those outside."""
        line = json.dumps([kind, value]).encode() + b"\n"
        self.total += len(line)
        if self.total < MOST_TOTAL or kind in ("void", "ended", "closed"):
            while line:
                line = line[os.write(self.result, line) :]


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    main()
