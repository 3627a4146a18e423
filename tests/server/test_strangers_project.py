"""A project full of files made to hurt, under a live server: whatever reads them, it answers."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2

from tests.live import live_paige
from tests.server.windows import window

SLOWEST, WHOLE = 1.0, 30.0  # seconds: one answer, everything
BLANK = "    \t\n" * 25
SPACED = "".join(f"def f{n}(x):\n    return x\n{BLANK}" for n in range(200))
HOSTILE = {
    "spaced.py": SPACED,
    "nested.py": "(" * 50_000,
    "deep.py": "".join(f"{' ' * n}if x:\n" for n in range(400)),
    "minus.py": f"x = {'-' * 90_000}1\n",
    "line.py": f"x = '{'a ' * 2**19}'\n",
    "brackets.ts": "const a = [" + "[{(" * 30_000,
    "generic.ts": "type A = " + "B<" * 40_000,
    "quotes.go": "package a\n" + "`\"'" * 30_000,
    "comments.rs": "/*" * 45_000,
    "notes.md": f"# a{' ' * 2**20}b\n",
    "cards.md": "{{c1::a" * 20_000 + "}}" * 20_000,
    "tags.html": "<![CDATA[>" * 9_000,
    "bare.sql": "select (" * 10_000,
    "spaces.sh": "$(" * 40_000 + " " * 2**19,
    ".gitignore": "".join(f"**/*a{n}*b*c/**/d*\n" for n in range(5_000)) + "a[\n//**\n",
}


@contextmanager
def asked_all_the_time(url: str) -> Iterator[list[float]]:
    """Ask a server whether it lives, again and again; how long each answer took."""
    took: list[float] = []
    done = threading.Event()

    def ask() -> None:
        with httpx2.Client(timeout=WHOLE) as client:
            while not done.is_set():
                start = time.monotonic()
                assert client.get(f"{url}/health").status_code == 200
                took.append(time.monotonic() - start)
                done.wait(0.01)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield took
    finally:
        done.set()
        thread.join(WHOLE)


def test_a_session_in_a_strangers_project_never_holds_the_server(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name, text in HOSTILE.items():
        (project / name).write_text(text)
        (project / f"copy-{name.lstrip('.')}").write_text(text[::-1])
    with (
        live_paige(tmp_path, PROJECT_DIR=str(project), SHELL="/bin/sh") as paige,
        asked_all_the_time(paige.url) as took,
    ):
        began = time.monotonic()
        with window(paige.ws) as wire:
            session = wire.start_session()
            for name, text in HOSTILE.items():
                wire.send("file:save", {"path": name, "content": f"{text}\n"})
                wire.expect("fs:save_ack", "fs:save_error")
            for name in ("spaced.py", "spaced.py", "spaced.py", *HOSTILE):
                passage = {"startLine": 1, "endLine": 200}
                text = HOSTILE[name][:20_000]
                asked = {"path": name, "range": passage, "selectedText": text}
                wire.send("user:explain", asked)
                wire.expect("explain:response", "connection:error")
            learnt = wire.end_session()
        whole = time.monotonic() - began

    assert learnt["sessionId"] == session
    assert max(took) < SLOWEST
    assert whole < WHOLE
