"""Every row of every door: it leads to an operation, says what it does, and refuses strangers."""

import dataclasses
from dataclasses import replace
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_origin

import pytest
from typing_extensions import is_typeddict

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.base.rights import ROLES
from paige.base.settings import Settings
from paige.base.wire import SNAKE, WIRE, camel
from paige.doors.frame.dispatch import dispatch
from paige.doors.frame.operations import BadField, Operation, Subject, load_operation
from paige.doors.frame.values import UNDESCRIBED
from paige.doors.site.api import describe_api
from paige.doors.table import all_routes, all_tools
from paige.store.messages import Message

ROWS = [*all_routes(), *all_tools()]
QUIET = (
    "study.run_code", "study.stop_code",
    "answer.save_answers", "plan.hand_out", "plan.close", "plan.reopen", "plan.keep",
)  # fmt: skip
"""Changes that leave nothing for a window to show, and handouts: no message is about them."""
BY_ITSELF = "coach."
"""What tells windows of each change as it happens, with what changed."""
LOOKED_UP = ("people.", "session.", "settings.")
"""Subjects whose pages look again when they are opened: no message tells of them."""


def operations() -> dict[str, Operation[Any]]:
    return {row.operation: load_operation(row.operation) for row in ROWS}


@pytest.mark.parametrize("place", sorted({row.operation for row in ROWS}))
def test_an_operation_says_what_it_does_takes_and_gives(place: str) -> None:
    operation = load_operation(place)

    assert operation.description.endswith((".", "`"))
    assert operation.gives is not None
    for each in (operation.takes, operation.gives):
        shape = get_args(each)[0] if get_origin(each) in (tuple, UnionType) else each
        if shape is None or shape in UNDESCRIBED or get_origin(shape) is dict:
            continue
        if is_typeddict(shape) or issubclass(shape, Message):
            continue
        assert dataclasses.is_dataclass(shape), shape
        assert getattr(shape, "__pydantic_config__", None) in (WIRE, SNAKE), shape


def test_addresses_and_tools_are_there_once() -> None:
    both = (True, False)
    addresses = [
        (row.method, row.path, accounts)
        for row in all_routes()
        for accounts in (both if row.accounts is None else (row.accounts,))
    ]
    names = [row.name for row in all_tools()]

    assert len(set(addresses)) == len(addresses)
    assert len(set(names)) == len(names)


def test_what_changes_something_tells_open_windows() -> None:
    silent = {
        each.name
        for each in operations().values()
        if each.changes and each.announces is None and not each.name.startswith(LOOKED_UP)
    }

    assert {name for name in silent if not name.startswith(BY_ITSELF)} == {*QUIET}


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
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", accounts="on")
    with open_app(settings, strict=False) as opened:
        app = replace(opened, actor=Actor("local", "ada", frozenset(ROLES)))
        async with app.openings.running():
            for operation in operations().values():
                if operation.takes is not None:
                    with pytest.raises(BadField, match=r"^`.+` cannot be used: "):
                        await dispatch(app, operation, {"nobodysField": 1}, way="http")


def test_openapi_describes_every_row_with_its_fields() -> None:
    for many in (True, False):
        told = describe_api(many=many)
        for row in all_routes():
            if row.accounts in (None, many):
                described = told["paths"][row.path.replace(":path}", "}")][row.method.lower()]
                assert described["description"]
                for parameter in described.get("parameters", ()):
                    assert parameter["schema"], row
    schemas = told["components"]["schemas"]
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
