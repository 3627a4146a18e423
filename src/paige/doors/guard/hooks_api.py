"""Hooks over HTTP: a coding CLI posts its event to `/hooks/<cli>` and reads the answer.

The code is that of the hook's process; only the compiled rules stay in memory. HTTP has no exit
code, so what a process says by one is said in the body, and whatever goes wrong at a gate is a
refusal with status 200: most hosts take another status for permission.
"""

import json
import logging
from functools import partial

import anyio
from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from starlette.background import BackgroundTask, BackgroundTasks
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from paige.app.hook_requests import HookRequest
from paige.app.person_apps import need
from paige.base.counters import count
from paige.base.errors import NotFound, PaigeError
from paige.base.settings import Settings
from paige.doors.frame.current_app import app_of
from paige.doors.frame.http import error_response
from paige.guard.fast.place import Caller
from paige.guard.fast.snapshot_cache import SnapshotCache
from paige.guard.fast.spool import line_id
from paige.guard.hook_event import Answer
from paige.hooks.fast import CLIS, MAX_INPUT, SECONDS, TOO_LATE, Reply, broken, respond

logger = logging.getLogger(__name__)
ROLE = "x-paige-role"
PROJECT = "x-paige-project"
AT_ONCE = 8


class HookDoor:
    """Answers events of coding CLIs."""

    def __init__(self) -> None:
        self._kept = SnapshotCache()
        self._limiter: CapacityLimiter | None = None

    async def answer(self, request: Request) -> Response:
        """Answer one event; the query's `event` names it where the body does not."""
        cli = request.path_params["cli"]
        if cli not in CLIS:
            there = ", ".join(CLIS)
            return error_response(NotFound(f"There are no hooks for `{cli}`", hint=there))
        try:
            desk = app_of(request.scope)
            need(desk, "guard")
        except PaigeError as error:
            return error_response(error)
        settings = desk.settings
        event = request.query_params.get("event", "")
        raw, id = b"", line_id()
        reply: Reply | None = None
        asked = HookRequest(desk)
        with anyio.move_on_after(SECONDS):
            raw = await _body(request)
            judge = partial(self._judged, asked, cli, event, raw, request, id)
            reply = await self._in_thread(judge)
        if reply is None:
            reply = broken(cli, event, TOO_LATE, raw, str(settings.data_dir), id)
        _show(settings, cli, raw, reply)
        count("hook_answers", cli=cli, said=reply.said)
        if asked.refused is not None and reply.said != "deny":
            return error_response(asked.refused)
        response = _response(cli, reply.answer)
        response.background = BackgroundTasks([BackgroundTask(each) for each in asked.jobs])
        return response

    def _judged(
        self, asked: HookRequest, cli: str, event: str, raw: bytes, request: Request, line: str
    ) -> Reply:
        who = Caller(
            str(asked.desk.settings.data_dir),
            request.headers.get(ROLE, "") if asked.is_here else "",
            request.headers.get(PROJECT, ""),
            line=line,
            place=asked.place,
        )
        return respond(cli, event, raw, who, rules=self._kept.read, slow=asked.decide)

    async def _in_thread(self, call: "partial[Reply]") -> Reply:
        # Judging may wait for files and locks; a few threads of their own keep that to itself.
        if self._limiter is None:
            self._limiter = CapacityLimiter(AT_ONCE)
        return await run_sync(call, abandon_on_cancel=True, limiter=self._limiter)


def _show(settings: Settings, cli: str, raw: bytes, reply: Reply) -> None:
    if settings.trace_hooks:
        rule, reason = reply.rule or "no rule", reply.reason or "nothing to say"
        logger.info(
            "Hook %s %s %s: %s by %s: %s",
            cli, reply.event, reply.tool, reply.said, rule, reason,
        )  # fmt: skip
    if folder := settings.environ.get("PAIGE_RECORD_HOOKS"):
        from paige.hooks.recorder import keep_case  # noqa: PLC0415 - rarely asked for

        keep_case(folder, cli, reply.event, raw, reply.answer)


async def _body(request: Request) -> bytes:
    """What was sent; of what is too long only as much as shows that it is."""
    parts = bytearray()
    try:
        async for part in request.stream():
            parts += part[: MAX_INPUT + 1 - len(parts)]
            if len(parts) > MAX_INPUT:
                break
    except ClientDisconnect:
        pass  # nobody reads the answer
    return bytes(parts)


def _response(cli: str, answer: Answer) -> Response:
    body = answer.stdout or (json.dumps(_refusal(cli, answer.stderr)) if answer.code else "")
    if not body:
        return Response()
    return Response(body, media_type="application/json")


def _refusal(cli: str, text: str) -> dict[str, str]:
    """What an exit code of 2 says, as a body."""
    reason = text.strip()
    if cli == "copilot":
        return {"permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"decision": "deny" if cli == "gemini" else "block", "reason": reason}
