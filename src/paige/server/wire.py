"""Shapes of the REST API: what goes over HTTP, camelCase, beside the inside values."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel


class Wire(BaseModel):
    """Base of everything REST sends; read from inside values by attribute."""

    model_config = ConfigDict(
        alias_generator=to_camel,
        populate_by_name=True,
        from_attributes=True,
        json_schema_serialization_defaults_required=True,
    )


class Asked(BaseModel):
    """Base of everything REST takes; an unknown key is an error."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="forbid")


class Health(Wire):
    """The server lives."""

    status: Literal["ok"] = "ok"
    uptime: float


class Ready(Wire):
    """Whether everything the server depends on answers."""

    status: Literal["ok", "unavailable"]
    dependencies: dict[str, str]


class Provider(Wire):
    """Who answers model requests."""

    name: str
    ready: bool
    message: str


class DatabaseInfo(Wire):
    """Where the data is."""

    engine: Literal["sqlite", "postgresql"]
    location: str
    schema_: str = Field(alias="schema", validation_alias="schema")


class Door(Wire):
    """One of the four ways into Paige, and how far it is."""

    id: Literal["plan", "study", "coach", "guard"]
    title: str
    audience: str
    summary: str
    works: list[str]
    next: list[str]


class Check(Wire):
    """One check of doctor."""

    name: str
    status: Literal["ok", "warn", "fail"]
    message: str
    fix: str | None


class Setup(Wire):
    """What is set up."""

    version: str
    provider: Provider
    database: DatabaseInfo
    project: str | None
    data_dir: str
    passcode: bool
    doors: list[Door]
    checks: list[Check]


class SignIn(Asked):
    """A passcode, to be signed in."""

    passcode: str = Field(min_length=1, max_length=1024)


class Session(Wire):
    """Whether a passcode is needed, whether it was given, and whether this is the demo."""

    required: bool
    signed_in: bool
    csrf: str | None
    demo: bool = False


class ErrorDetail(Wire):
    """What happened and what to do; `field` is what of the request it is about, where one is."""

    code: str
    message: str
    hint: str | None
    field: str | None = None


class ErrorBody(Wire):
    """The body of every error answer."""

    error: ErrorDetail
