"""The address of what is set up."""

from paige.doors.frame.rows import get, routes

ROUTES = routes("/setup", "paige.doors.setup.operations", (get("", "setup"),))
