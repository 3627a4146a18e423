"""Part of building a wheel: the web app must have been built before, for a wheel needs no Node."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

WEB_APP = Path("src", "paige", "shipped", "web", "index.html")
MISSING = """
The web app is not built, so a wheel of Paige would have no pages.

  In a clone:               make wheel
  From a source archive:    it holds the web app only when it was built before;
                            take an archive or a wheel made by `make wheel`.
"""


class WebAppIsThere(BuildHookInterface):
    """Refuses to build a wheel without the web app."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Look before anything is written; an editable install builds the web app later."""
        if version != "editable" and not (Path(self.root) / WEB_APP).is_file():
            raise SystemExit(MISSING)
