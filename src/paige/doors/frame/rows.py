"""Rows of the tables of doors: how an operation is addressed there. They import nothing of it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple


class Route(NamedTuple):
    """An address of the REST API, and the operation behind it (`module:name`).

    The input is put together from the path, the query and a JSON body. `query` names fields that
    come with the address though there is a body; `data` is the field that takes the body as it is,
    `lines` one that takes it as it comes. `fills` are fields that the request itself knows.
    `strict` refuses what the query names and the input has no field for; `lets` raises for a
    request that must not get this far. `headers` go with what is answered. With `accounts`, the
    address is there only where people have accounts, or only where they have none.
    """

    method: str
    path: str
    operation: str
    tag: str
    query: tuple[str, ...] = ()
    data: str = ""
    lines: str = ""
    strict: bool = False
    public: bool = False
    fills: Mapping[str, Callable[[Any], object]] = {}
    lets: Callable[[Any], None] | None = None
    headers: Mapping[str, str] = {}
    accounts: bool | None = None


class Tool(NamedTuple):
    """A tool for agents. `sets` are the choices of tools that it is in."""

    name: str
    operation: str
    title: str
    description: str
    sets: tuple[str, ...] = ()
    idempotent: bool = True
    long: bool = False
    drops: tuple[str, ...] = ()
    """Fields that agents are not told, for they pay for every word."""


def _route(method: str) -> Callable[..., Route]:
    def row(path: str, operation: str, **more: Any) -> Route:  # noqa: ANN401 - fields of the row
        return Route(method, path, operation, "", **more)

    return row


get, post, put, patch, delete = map(_route, ("GET", "POST", "PUT", "PATCH", "DELETE"))


def routes(
    prefix: str,
    module: str,
    rows: Iterable[Route],
    **common: Any,  # noqa: ANN401 - fields of the rows
) -> tuple[Route, ...]:
    """The addresses of a subject: all begin with its prefix, all operations are in its module."""
    tag = module.split(".")[-2]
    return tuple(
        row._replace(
            path=prefix + row.path, operation=f"{module}:{row.operation}", tag=tag, **common
        )
        for row in rows
    )


def tools(module: str, *rows: Tool) -> tuple[Tool, ...]:
    """The tools of a subject."""
    return tuple(row._replace(operation=f"{module}:{row.operation}") for row in rows)
