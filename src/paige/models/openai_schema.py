"""The JSON schema of a model as OpenAI's strict mode wants it."""

from functools import lru_cache
from typing import Any, cast

from pydantic import BaseModel


@lru_cache(maxsize=256)
def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every property required, nothing else allowed; made by the SDK, so that it stays right."""
    from openai import pydantic_function_tool  # noqa: PLC0415 - the SDK takes a second to import

    function = cast("dict[str, Any]", pydantic_function_tool(model)["function"])
    return function["parameters"]
