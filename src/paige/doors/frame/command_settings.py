"""Reads the settings for a command: the only place on this side that looks at the environment."""

import os
from pathlib import Path

from paige.base.settings import Settings, read_settings


def command_settings() -> Settings:
    """The settings of the process and the folder it runs in."""
    return read_settings(os.environ, Path.cwd())
