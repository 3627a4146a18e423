"""Every row of every door: it leads to an operation, says what it does, and refuses strangers."""

import dataclasses
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.base.settings import Settings
from paige.base.wire import WIRE, camel
from paige.doors.frame.dispatch import dispatch
from paige.doors.frame.openapi import describe
from paige.doors.frame.operations import BadField, Operation, Subject, load_operation
from paige.doors.frame.values import Download
from paige.doors.table import all_routes, all_tools

ROWS = [*all_routes(), *all_tools()]
QUIET = ("study.run_code", "study.stop_code")
"""Changes that leave nothing behind for a window to show."""


def operations() -> dict[str, Operation[Any]]:
    return {row.operation: load_operation(row.operation) for row in ROWS}


@pytest.mark.parametrize("place", sorted({row.operation for row in ROWS}))
def test_an_operation_says_what_it_does_takes_and_gives(place: str) -> None:
    operation = load_operation(place)

    assert operation.description.endswith((".", "`"))
    assert operation.gives is not None
    for shape in (operation.takes, operation.gives):
        if shape is not None and shape is not Download:
            assert dataclasses.is_dataclass(shape), shape
            assert shape.__pydantic_config__ is WIRE, shape


def test_addresses_and_tools_are_there_once() -> None:
    addresses = [(row.method, row.path) for row in all_routes()]
    names = [row.name for row in all_tools()]

    assert len(set(addresses)) == len(addresses)
    assert len(set(names)) == len(names)


def test_what_changes_something_tells_open_windows() -> None:
    silent = {
        each.name for each in operations().values() if each.changes and each.announces is None
    }

    assert silent == {*QUIET}


@pytest.mark.anyio
async def test_nobody_without_the_right_gets_through_whatever_they_send(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", accounts="on")
    with open_app(settings, strict=False) as opened:
        stranger = replace(opened, actor=Actor("local", "eve", frozenset({"researcher"})))
        async with stranger.openings.running():
            for operation in operations().values():
                if operation.needs is not None:
                    with pytest.raises(Refused, match="may not"):
                        await dispatch(stranger, operation, {"nonsense": 1}, way="http")


@pytest.mark.anyio
async def test_what_does_not_fit_is_said_in_one_sentence(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with open_app(settings, strict=False) as app:
        async with app.openings.running():
            for operation in operations().values():
                if operation.takes is not None:
                    with pytest.raises(BadField, match=r"^`.+` cannot be used: "):
                        await dispatch(app, operation, {"nobodysField": 1}, way="http")


def test_openapi_describes_every_row_with_its_fields() -> None:
    paths, schemas = describe(all_routes())

    for row in all_routes():
        described = paths[row.path][row.method.lower()]
        assert described["description"]
        for parameter in described.get("parameters", ()):
            assert parameter["schema"], row
    assert schemas["StudyStep"]["properties"]["step"]["description"] == (
        "It goes back with an answer."
    )
    excluded = schemas["StudyImported"]["properties"].keys() & {"taken"}
    assert not excluded


@pytest.mark.parametrize(
    ("name", "wire"),
    [("step", "step"), ("file_text", "fileText"), ("due_this_week", "dueThisWeek")],
)
def test_names_on_the_wire_are_camel_case(name: str, wire: str) -> None:
    assert camel(name) == wire


@dataclasses.dataclass(frozen=True, slots=True)
class Given:
    """What the operation of the test takes."""

    __pydantic_config__ = WIRE

    number: int


SUBJECT = Subject("test")


@SUBJECT.read
def double(_: object, given: Given) -> Given:
    """Twice the number."""
    return Given(given.number * 2)


@pytest.mark.anyio
async def test_a_plain_function_is_an_operation_too(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with open_app(settings, strict=False) as app:
        async with app.openings.running():
            assert await dispatch(app, double, {"number": "21"}, way="cli") == Given(42)
            assert await dispatch(app, double, Given(4), way="cli") == Given(8)
