"""The `/mcp` endpoint: both protocol eras over one registry of tools.

The SDK costs more to import than the rest of the server, so this module is imported after the
server answers `/health`; requests that come earlier wait for it (`mcp_mount.py`).
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import parse_qs

import mcp_types as types
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler
from starlette.types import ASGIApp, Receive, Scope, Send

from paige import __version__
from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput, PaigeError
from paige.doors.frame.current_app import ACTOR
from paige.doors.frame.mcp import OperationTool, Registry, ToolCall, failed
from paige.doors.frame.plain_answers import PlainAnswers, PlainManager
from paige.doors.table import all_tools as operation_rows

INSTRUCTIONS = (
    "Paige teaches and coaches the person you work for. Ask `paige_setup` what is available, "
    "`memory_search` what is known, and tell `memory_add` what is worth knowing later. While they "
    "work on an issue, `paige_get_session_state` says where they are; point at files and lines and "
    "say something with the other `paige_` tools. The person writes the code: no tool does. When "
    "they want to study, `study_next` shows what to ask and `study_submit` takes what they say. "
    "Before a decision `query_traces` tells what went wrong in cases like it."
)
Context = ServerRequestContext[object]


class OwnSessions:
    """Tells the SDK whose request it is, so that a session answers only the one who began it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        actor = scope.get(ACTOR)
        if isinstance(actor, Actor):
            token = AccessToken(token="", client_id=actor.tenant, scopes=[], subject=actor.person)
            scope["user"] = AuthenticatedUser(token)
        await self._app(scope, receive, send)


SETS = ("coach", "study", "memory", "guard")
"""Choices of tools, for agents that need only some: `/mcp?tools=study,memory`."""


def checked_sets(text: str) -> frozenset[str]:
    """The sets that are named, with commas between them; none means all. Raises: BadInput."""
    named = frozenset(each.strip() for each in text.split(",") if each.strip())
    if strange := sorted(named - {*SETS}):
        raise BadInput(
            f"There is no set of tools `{strange[0][:80]}`", hint=f"There are: {', '.join(SETS)}."
        )
    return named


def sets_of(scope: Scope) -> frozenset[str]:
    """The sets that the address of a request names; what is none is left out."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("tools", [""])[-1]
    return frozenset(given.split(",")) & {*SETS}


def all_tools() -> Registry:
    """The tools of every door."""
    registry = Registry()
    for row in operation_rows():
        registry.add(OperationTool(row))
    return registry


def build_server(
    app: App,
    registry: Registry,
    listening: ListenHandler | None = None,
    desk_of: Callable[[Scope], App] | None = None,
    sets: frozenset[str] = frozenset(),
) -> Server[object]:
    """An MCP server that lists and calls the tools of a registry; `listening` has its streams.

    `desk_of` says for whom a request is; without it everything is for the person of `app`.
    """

    async def list_tools(
        context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        wanted = sets if context.request is None else sets_of(context.request.scope)
        return types.ListToolsResult(tools=registry.listed(wanted))

    async def call_tool(
        context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        request = context.request
        headers = request.headers if request is not None else {}
        try:
            desk = app if desk_of is None or request is None else desk_of(request.scope)
        except PaigeError as error:
            return failed(error.message)
        call = ToolCall(
            desk,
            dict(context.meta or {}),
            headers.get("mcp-session-id"),
            context.session.report_progress,
        )
        return await registry.call(call, params.name, params.arguments or {})

    server: Server[object] = Server(
        "paige",
        version=__version__,
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_subscriptions_listen=listening or ListenHandler(InMemorySubscriptionBus()),
        get_tool_input_schema=registry.input_schema,
    )
    # Nothing here exports the SDK's spans, so none are made; every call is in the action log.
    server.middleware.clear()
    return server


@asynccontextmanager
async def running_endpoint(
    app: App, desk_of: Callable[[Scope], App] | None = None
) -> AsyncIterator[ASGIApp]:
    """The ASGI app for `/mcp`, alive until the block is left.

    The server checks Host, Origin and passcode before a request gets here, so the SDK's own checks
    stay off.
    """
    registry = all_tools()
    listening = ListenHandler(InMemorySubscriptionBus())
    server = build_server(app, registry, listening, desk_of)
    manager = PlainManager(server)
    async with manager.run():
        try:
            door = PlainAnswers(StreamableHTTPASGIApp(manager), registry.is_quick)
            yield OwnSessions(door)
        finally:
            listening.close()  # each open stream says that it ends, and ends
