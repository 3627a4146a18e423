"""Addresses of the API, written down with what they share and built once, where they are served.

FastAPI's own routers build each of their routes again for whoever includes them, when the first
request comes: half a second in which nobody is answered.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypedDict, TypeVar

from fastapi import FastAPI
from fastapi.params import Depends
from starlette.responses import Response
from typing_extensions import Unpack

Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class Options(TypedDict, total=False):
    """What FastAPI may be told of an address."""

    status_code: int
    response_class: type[Response]
    response_model: Any
    responses: dict[int | str, dict[str, Any]]
    openapi_extra: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Route:
    path: str
    endpoint: Callable[..., Any]
    tags: tuple[str, ...]
    dependencies: tuple[Depends, ...]
    options: dict[str, Any]


@dataclass(slots=True)
class Routes:
    """Addresses with a common beginning, tags, and checks that come before each of them."""

    prefix: str = ""
    tags: Sequence[str] = ()
    dependencies: Sequence[Depends] = ()
    _written: list[_Route] = field(default_factory=list)

    def get(self, path: str, **options: Unpack[Options]) -> Callable[[Endpoint], Endpoint]:
        """An address that is read."""
        return self._write("GET", path, options)

    def post(self, path: str, **options: Unpack[Options]) -> Callable[[Endpoint], Endpoint]:
        """An address that something is sent to."""
        return self._write("POST", path, options)

    def put(self, path: str, **options: Unpack[Options]) -> Callable[[Endpoint], Endpoint]:
        """An address whose content is replaced."""
        return self._write("PUT", path, options)

    def patch(self, path: str, **options: Unpack[Options]) -> Callable[[Endpoint], Endpoint]:
        """An address whose content is changed in part."""
        return self._write("PATCH", path, options)

    def delete(self, path: str, **options: Unpack[Options]) -> Callable[[Endpoint], Endpoint]:
        """An address whose content is taken away."""
        return self._write("DELETE", path, options)

    def include(self, others: "Routes") -> None:
        """Take addresses in: they begin as these do, and the checks of these come first."""
        for each in others._written:
            self._add(each.path, each.endpoint, each.tags, each.dependencies, each.options)

    def add_to(self, api: FastAPI) -> None:
        """Build every address in an API."""
        for each in self._written:
            api.router.add_api_route(
                each.path,
                each.endpoint,
                tags=[*each.tags],
                dependencies=each.dependencies,
                **each.options,
            )

    def _write(self, method: str, path: str, options: Options) -> Callable[[Endpoint], Endpoint]:
        own = {"methods": [method], **options}

        def write(endpoint: Endpoint) -> Endpoint:
            self._add(path, endpoint, (), (), own)
            return endpoint

        return write

    def _add(
        self,
        path: str,
        endpoint: Callable[..., Any],
        tags: tuple[str, ...],
        dependencies: tuple[Depends, ...],
        options: dict[str, Any],
    ) -> None:
        own = tuple(tag for tag in self.tags if tag not in tags)
        checks = (*self.dependencies, *dependencies)
        self._written.append(_Route(self.prefix + path, endpoint, (*own, *tags), checks, options))
