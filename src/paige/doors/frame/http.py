"""The REST API as a table: each row an address and the operation behind it."""

import json
import math
from collections.abc import Iterable
from functools import partial
from typing import Annotated, Any, get_args, get_origin
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Match
from starlette.routing import Route as StarletteRoute
from starlette.types import Scope

from paige.base.errors import BadInput, PaigeError
from paige.base.wire import camel
from paige.doors.frame.current_app import app_of, server_app
from paige.doors.frame.dispatch import dispatch
from paige.doors.frame.operations import BadField, Operation, ready_operation
from paige.doors.frame.rows import Route
from paige.doors.frame.schemas import adapter_of
from paige.doors.frame.values import Cookie, Download, Redirect, WithCookies

_UNSTORED = {"cache-control": "no-store", "x-content-type-options": "nosniff"}


class _NamedRoute(StarletteRoute):
    """A route that says for the metrics that it was the one."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        match, child = super().matches(scope)
        return match, {**child, "route": self} if child else child


def starlette_routes(rows: Iterable[Route]) -> list[StarletteRoute]:
    """The rows as Starlette takes them."""
    return [
        _NamedRoute(row.path, partial(_answer, row), methods=[row.method], name=row.operation)
        for row in rows
    ]


def error_response(error: PaigeError) -> JSONResponse:
    """The answer for an error of ours; `beside` is what else somebody needs to go on."""
    detail = {
        "code": error.code,
        "message": error.message,
        "hint": error.hint,
        "field": getattr(error, "field", None) or None,
    }
    seconds = getattr(error, "retry_after", None)
    again = None if seconds is None else {"Retry-After": str(max(1, math.ceil(seconds)))}
    beside = getattr(error, "beside", None)
    more = {} if beside is None else adapter_of(type(beside)).dump_python(beside, **_JSON)
    return JSONResponse({"error": detail, **more}, status_code=error.status, headers=again)


def attachment(name: str) -> str:
    """The header that makes a browser save an answer under a name, whatever letters it has."""
    plain = name.encode("ascii", "replace").decode().replace("?", "_").replace('"', "_")
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"


_JSON: dict[str, Any] = {"mode": "json", "by_alias": True}


async def _answer(row: Route, request: Request) -> Response:
    operation = await ready_operation(row.operation)
    app = server_app(request.scope) if operation.subject.anyone else app_of(request.scope)
    value = await dispatch(app, operation, partial(_given, row, operation, request), way="http")
    cookies: tuple[Cookie, ...] = ()
    if isinstance(value, WithCookies):
        value, cookies = value.value, value.cookies
    if isinstance(value, Download):
        return _download(value)
    if isinstance(value, Redirect):
        return _with_cookies(RedirectResponse(value.address, status_code=303), value.cookies)
    body = operation.output.dump_json(value, by_alias=True)
    headers = dict(row.headers)
    return _with_cookies(Response(body, media_type="application/json", headers=headers), cookies)


def _with_cookies(response: Response, cookies: Iterable[Cookie]) -> Response:
    for each in cookies:
        response.set_cookie(
            each.name,
            each.value,
            max_age=each.seconds,
            expires=None if each.value else 0,
            path=each.path,
            secure=each.secure,
            httponly=True,
            samesite=each.same_site,
        )
    return response


async def _given(row: Route, operation: Operation[Any], request: Request) -> dict[str, Any]:
    """The input as it was sent, not yet read. Raises: BadInput, and what the row raises."""
    if row.lets is not None:
        row.lets(request)
    if operation.takes is None:
        return {}
    given = _query(row, operation, request)
    if row.data:
        given[row.data] = await _bytes(request)
    elif row.lines:
        given[row.lines] = request.stream()
    elif row.method != "GET":
        given |= await _object(request)
    given |= request.path_params
    return given | {name: fill(request) for name, fill in row.fills.items()}


def _query(row: Route, operation: Operation[Any], request: Request) -> dict[str, Any]:
    """What of the query the input has a field for; else only what is to be refused."""
    sent = request.query_params
    found: dict[str, Any] = dict(sent) if row.strict else {}
    for name, hint in operation.fields.items():
        plain, *about = get_args(hint) if get_origin(hint) is Annotated else (hint,)
        many = get_origin(plain) in (tuple, list, frozenset)
        called = {getattr(each, "alias", None) for each in about}
        for key in {name, camel(name), *called} & sent.keys():
            found[key] = sent.getlist(key) if many else sent[key]
    return found


async def _bytes(request: Request) -> bytes:
    data = await request.body()
    if not data:
        raise BadInput("No file was sent", hint="Send it as the body of the request.")
    return data


async def _object(request: Request) -> dict[str, Any]:
    body = await request.body()
    if not body:
        return {}
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise BadField("The body is not JSON", field="") from error
    if not isinstance(sent, dict):
        raise BadField(
            "`the body` cannot be used: Input should be a valid dictionary or object to extract "
            "fields from",
            field="",
        )
    return sent


def _download(value: Download) -> Response:
    headers = _UNSTORED if value.inline else {"content-disposition": attachment(value.name)}
    return Response(value.content, media_type=value.media_type, headers=headers)
