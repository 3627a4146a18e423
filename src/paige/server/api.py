"""The REST API under `/api`, described at `/api/openapi.json`."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from paige import __version__
from paige.app.application import App
from paige.app.demo import is_demo
from paige.app.setup import describe_setup
from paige.base.errors import BadInput, NotFound, PaigeError
from paige.coach.live import LiveCoach
from paige.doors.frame.http import error_response, starlette_routes
from paige.doors.frame.openapi import describe
from paige.doors.frame.operations import BadField
from paige.doors.frame.rows import Route
from paige.doors.table import all_routes
from paige.server import wire
from paige.server.accounts_api import accounts_routes
from paige.server.answer_api import answer_routes
from paige.server.answer_teacher_api import handout_routes
from paige.server.class_errors_api import class_errors_routes
from paige.server.coach_api import coach_routes
from paige.server.desks import At
from paige.server.graph_api import graph_routes
from paige.server.guard_api import guard_routes
from paige.server.guards_api import guards_routes
from paige.server.memory_api import memory_routes
from paige.server.orchestra_api import orchestra_routes
from paige.server.passcode import COOKIE, COOKIE_DAYS, Passcode
from paige.server.plan_api import plan_routes
from paige.server.plan_mount import PlanMount
from paige.server.restarting import Restart
from paige.server.session_api import session_routes
from paige.server.settings_api import settings_routes
from paige.server.signed_in import read_cookie
from paige.server.traces_api import traces_routes

logger = logging.getLogger(__name__)
STATUSES = (400, 401, 403, 404, 409, 413, 429, 503)
_ERROR = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorBody"}}}
# Only named: FastAPI would prepare to write one for every status of every address.
ERRORS: dict[int | str, dict[str, Any]] = {
    code: {"description": HTTPStatus(code).phrase, "content": _ERROR} for code in STATUSES
}


def build_api(
    app: App,
    coach: LiveCoach,
    plan: PlanMount,
    passcode: Passcode | None,
    restart: Restart,
) -> FastAPI:
    """The API of an application."""
    api = FastAPI(
        title="Paige",
        version=__version__,
        docs_url=None,  # the page would load its scripts from elsewhere
        redoc_url=None,
        responses=ERRORS,
    )
    api.add_exception_handler(PaigeError, _paige_error)
    api.add_exception_handler(RequestValidationError, _bad_request)
    api.add_exception_handler(HTTPException, _http_error)
    api.add_exception_handler(Exception, _fault)

    @api.get("/setup", responses={400: {"model": wire.ErrorBody}})  # described once, for all
    async def setup(desk: At) -> wire.Setup:
        """Say what is set up."""
        return wire.Setup.model_validate(await describe_setup(desk))

    if app.settings.many:
        session_routes(app).add_to(api)
    else:
        _add_session(api, app, passcode)
    accounts_routes(app).add_to(api)
    memory_routes().add_to(api)
    coach_routes(coach).add_to(api)
    plan_routes(plan).add_to(api)
    handout_routes().add_to(api)
    answer_routes(app).add_to(api)
    class_errors_routes().add_to(api)
    guard_routes().add_to(api)
    graph_routes().add_to(api)
    guards_routes().add_to(api)
    orchestra_routes().add_to(api)
    traces_routes().add_to(api)
    settings_routes(app, passcode, restart).add_to(api)
    rows = all_routes()
    api.router.routes.extend(starlette_routes(rows))
    _describe_with(api, rows)
    return api


def _describe_with(api: FastAPI, rows: tuple[Route, ...]) -> None:
    """Let the description name the rows as well; they are worked out when somebody asks."""
    usual = api.openapi

    def openapi() -> dict[str, Any]:
        described = usual()
        if rows[0].path not in described["paths"]:
            paths, schemas = describe(rows)
            for path in paths.values():
                for operation in path.values():
                    operation["responses"] |= {str(code): each for code, each in ERRORS.items()}
            described["paths"] |= paths
            described["components"]["schemas"] |= schemas
        return described

    api.openapi = openapi


def _add_session(api: FastAPI, app: App, passcode: Passcode | None) -> None:
    demo = is_demo(app.settings)

    def state(cookie: str | None) -> wire.Session:
        if passcode is None:
            return wire.Session(required=False, signed_in=True, csrf=None, demo=demo)
        if cookie and passcode.accepts_cookie(cookie, now=app.now()):
            csrf = passcode.csrf_of(cookie)
            return wire.Session(required=True, signed_in=True, csrf=csrf, demo=demo)
        return wire.Session(required=True, signed_in=False, csrf=None)

    @api.get("/session")
    async def session(request: Request) -> wire.Session:
        """Say whether a passcode is needed and was given."""
        return state(read_cookie(request.headers.get("cookie", "")))

    @api.post("/session")
    async def sign_in(asked: wire.SignIn, request: Request, response: Response) -> wire.Session:
        """Sign in with the passcode."""
        if passcode is None:
            return state(None)
        passcode.check(asked.passcode, now=app.now())
        cookie = passcode.new_cookie(now=app.now())
        response.set_cookie(
            COOKIE,
            cookie,
            max_age=COOKIE_DAYS * 86400,
            httponly=True,
            samesite="strict",
            secure=request.url.scheme == "https",
        )
        return state(cookie)

    @api.delete("/session")
    async def sign_out(response: Response) -> wire.Session:
        """Sign out."""
        response.delete_cookie(COOKIE)
        return state(None)


async def _paige_error(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, PaigeError)
    return error_response(error)


async def _bad_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"] if part != "body")
    message = f"`{where or 'the body'}` cannot be used: {first['msg']}"
    return error_response(BadField(message, field=where))


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
