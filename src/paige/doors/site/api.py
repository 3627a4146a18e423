"""The REST API under `/api`, described at `/api/openapi.json`."""

import json
import logging
from collections.abc import Iterable
from functools import cache
from http import HTTPStatus
from typing import Any, Literal

from pydantic import TypeAdapter
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route as StarletteRoute

from paige import __version__
from paige.app.application import App
from paige.base.errors import BadInput, NotFound, PaigeError
from paige.base.wire import camel
from paige.doors.frame.http import error_response, starlette_routes
from paige.doors.frame.operations import Operation, load_operation, shapes_of
from paige.doors.frame.rows import Route
from paige.doors.frame.schemas import adapter_of, reachable
from paige.doors.frame.values import Download, ErrorBody, Redirect
from paige.doors.table import all_routes

logger = logging.getLogger(__name__)
Schema = dict[str, Any]
_BYTES: Schema = {"application/octet-stream": {}}
_LINES: Schema = {"application/x-ndjson": {"schema": {"type": "string"}}}
STATUSES = (400, 401, 403, 404, 409, 413, 429, 503)
REFERENCE = "#/components/schemas/{model}"
_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
ERRORS: dict[str, dict[str, Any]] = {
    str(code): {"description": HTTPStatus(code).phrase, "content": _ERROR} for code in STATUSES
}


def build_api(app: App) -> Starlette:
    """The API of an application."""
    many = app.settings.many

    def openapi(_: Request) -> Response:
        return Response(_description_text(many=many), media_type="application/json")

    return Starlette(
        routes=[*starlette_routes(_rows(many=many)), StarletteRoute("/openapi.json", openapi)],
        exception_handlers={
            PaigeError: _paige_error,
            HTTPException: _http_error,
            Exception: _fault,
        },
    )


def _rows(*, many: bool) -> list[Route]:
    """The addresses there are, with accounts or without."""
    return [row for row in all_routes() if row.accounts in (None, many)]


@cache
def _description_text(*, many: bool) -> bytes:
    return json.dumps(describe_api(many=many), ensure_ascii=False).encode()


def describe_api(*, many: bool) -> dict[str, Any]:
    """The description of the API as OpenAPI has it, with accounts or without."""
    known = [(row, load_operation(row.operation)) for row in _rows(many=many)]
    described = _Schemas([operation for _, operation in known])
    paths: Schema = {}
    for row, operation in known:
        path = row.path.replace(":path}", "}")
        paths.setdefault(path, {})[row.method.lower()] = described.operation(row, operation)
    error = adapter_of(ErrorBody).json_schema(mode="serialization", ref_template=REFERENCE)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Paige", "version": __version__},
        "servers": [{"url": "/api"}],
        "paths": paths,
        "components": {
            "schemas": described.definitions | error.pop("$defs") | {"ErrorBody": error}
        },
    }


async def _paige_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PaigeError)
    return error_response(error)


async def _http_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if error.status_code == 404:
        return error_response(NotFound("There is no such address", hint="See `/api/openapi.json`."))
    answer = error_response(BadInput(str(error.detail)))
    answer.status_code = error.status_code
    return answer


async def _fault(request: Request, error: Exception) -> JSONResponse:
    logger.error("Request %s failed", request.url.path, exc_info=error)
    return error_response(PaigeError("Paige failed inside; the server's log says why"))


class _Schemas:
    """The schemas of everything that operations take and give, described together."""

    def __init__(self, operations: list[Operation[Any]]) -> None:
        self._found, described = TypeAdapter.json_schemas(
            shapes_of(operations), ref_template=REFERENCE
        )
        roots = list(self._found.values())
        self.definitions = reachable(roots, described.get("$defs", {}))

    def operation(self, row: Route, operation: Operation[Any]) -> Schema:
        """One operation at one address."""
        made: Schema = {
            "tags": [row.tag],
            "summary": operation.name,
            "operationId": f"{operation.name}-{row.method.lower()}",
            "description": operation.description,
            "responses": {
                "303" if operation.gives is Redirect else "200": self._answer(operation),
                **ERRORS,
            },
        }
        schema: Schema = {}
        if operation.takes is not None:
            schema = self._found[operation.name, "validation"]  # type: ignore[index] - keys are names
        fields = self._resolved(schema).get("properties", {})
        needed = self._resolved(schema).get("required", ())
        places = {name: _place(row, name) for name in fields}
        parameters = [
            _parameter(name, places[name], field, needed=name in needed)
            for name, field in fields.items()
            if places[name] in ("path", "query")
        ]
        if parameters:
            made["parameters"] = parameters
        inside = {name: field for name, field in fields.items() if places[name] == "body"}
        if row.data or row.lines:
            content = _BYTES if row.data else _LINES
            made["requestBody"] = {"required": True, "content": content}
        elif inside:
            body = schema if len(inside) == len(fields) else _object(inside, needed)
            content = {"application/json": {"schema": body}}
            must = any(name in needed for name in inside)
            made["requestBody"] = {"required": must, "content": content}
        return made

    def _answer(self, operation: Operation[Any]) -> Schema:
        if operation.gives is Download:
            return {"description": "The file.", "content": _BYTES}
        if operation.gives is Redirect:
            return {"description": "Another page to go to."}
        schema = self._found[operation.name, "serialization"]  # type: ignore[index] - as above
        return {"description": "Done.", "content": {"application/json": {"schema": schema}}}

    def _resolved(self, schema: Schema) -> Schema:
        name = schema.get("$ref", "").rpartition("/")[2]
        return self.definitions.get(name, schema)


def _place(row: Route, name: str) -> Literal["path", "query", "body", "none"]:
    """Where a field comes from; some the request itself knows, or are its whole body."""
    if f"{{{name}}}" in row.path or f"{{{name}:" in row.path:
        return "path"
    whole = row.data or row.lines
    if name == camel(whole) or any(name == camel(each) for each in row.fills):
        return "none"
    if row.method == "GET" or whole or any(name == camel(each) for each in row.query):
        return "query"
    return "body"


def _parameter(name: str, place: str, schema: Schema, *, needed: bool) -> Schema:
    described = {key: value for key, value in schema.items() if key != "description"}
    made = {"name": name, "in": place, "required": needed or place == "path", "schema": described}
    return {**made, "description": schema["description"]} if "description" in schema else made


def _object(fields: Schema, needed: Iterable[str]) -> Schema:
    required = [name for name in needed if name in fields]
    return {"type": "object", "properties": fields, "required": required}
