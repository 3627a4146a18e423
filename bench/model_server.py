"""A model on loopback for the loop benchmarks: asks for one tool again and again, then ends.

It keeps no state. The address says how many model calls a run has (`/20/v1/messages`), and the
history that comes with every request says how many of them are done. It speaks Anthropic's Messages
and OpenAI's Responses, unstreamed.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TOOL = "look_up"
DESCRIPTION = "Look up one page of the book."
SCHEMA = {
    "type": "object",
    "properties": {"page": {"type": "integer"}},
    "required": ["page"],
    "additionalProperties": False,
}
SYSTEM = "You answer questions about a book. Look up one page after the other."
PROMPT = "What is the book about?"
MODEL = "claude-sonnet-5"
PAGE = "The quick brown fox jumps over the lazy dog, and the dog does not mind at all. " * 25
"""What a page says, about 2 KB; tools put its number in front."""


def page_text(number: int) -> str:
    """What the tool answers."""
    return f"Page {number}. {PAGE}"


@contextmanager
def model_server() -> Iterator[str]:
    """The server in a process of its own; the value is its address."""
    command = [sys.executable, "-m", "bench.model_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def pin_to_core(number: int) -> None:
    """Stay on one core, where the system can do that and has so many."""
    if not hasattr(os, "sched_setaffinity"):
        return
    cores = sorted(os.sched_getaffinity(0))
    if number < len(cores):
        os.sched_setaffinity(0, {cores[number]})


def _messages(done: int, calls: int) -> dict[str, object]:
    if done + 1 < calls:
        use = {"type": "tool_use", "id": f"toolu_{done:020}", "name": TOOL, "input": {"page": done}}
        content, reason = [{"type": "text", "text": "Let me look."}, use], "tool_use"
    else:
        content, reason = [{"type": "text", "text": "It is about a fox."}], "end_turn"
    return {
        "id": f"msg_{done:020}",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 1000, "output_tokens": 50},
    }


def _responses(done: int, calls: int) -> dict[str, object]:
    if done + 1 < calls:
        arguments = json.dumps({"page": done})
        called = {"id": f"fc_{done:020}", "call_id": f"call_{done:020}", "name": TOOL}
        item = {"type": "function_call", **called, "arguments": arguments, "status": "completed"}
    else:
        said = {"type": "output_text", "text": "It is about a fox.", "annotations": []}
        item = {"type": "message", "id": f"msg_{done:020}", "role": "assistant"}
        item |= {"status": "completed", "content": [said]}
    return {
        "id": f"resp_{done:020}",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": MODEL,
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": 1000,
            "output_tokens": 50,
            "total_tokens": 1050,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens_details": {"reasoning_tokens": 0},
        },
    }


# By the end of the path: who answers, and what a tool's answer in the history is known by.
_DIALECTS: dict[str, tuple[Callable[[int, int], dict[str, object]], bytes]] = {
    "/v1/messages": (_messages, b'"tool_use_id"'),
    "/v1/responses": (_responses, b'"function_call_output"'),
}


def answer(path: str, body: bytes) -> bytes:
    """The next answer of a run, given its whole history."""
    _, calls, rest = path.partition("?")[0].split("/", 2)
    reply, mark = _DIALECTS[f"/{rest}"]
    return json.dumps(reply(body.count(mark), int(calls))).encode()


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length:")[2].partition("\r\n")[0])
            said = answer(head.split(" ", 2)[1], await reader.readexactly(length))
            writer.write(
                b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nrequest-id: req_1\r\n"
                b"content-length: %d\r\n\r\n%s" % (len(said), said)
            )
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def _main() -> None:
    pin_to_core(1)
    server = await asyncio.start_server(_serve, "127.0.0.1", 0, limit=2**24)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(_main())
