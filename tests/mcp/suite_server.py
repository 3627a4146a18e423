"""The real server with tools, prompts and resources that the conformance suite asks for."""

from functools import wraps

from mcp.server.lowlevel import Server

from paige.doors.site import mcp_endpoint
from paige.doors.site.main import main
from tests.mcp.fixtures.adding import add_fixtures

_build = mcp_endpoint.build_server


@wraps(_build)
def build_server(*arguments: object, **options: object) -> Server[object]:
    """Paige's own server, and the fixtures beside its tools."""
    server = _build(*arguments, **options)  # type: ignore[arg-type]
    add_fixtures(server)
    return server


if __name__ == "__main__":
    mcp_endpoint.build_server = build_server
    main()
