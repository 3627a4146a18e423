"""Reads the typed result out of an answer, or says why there is none."""

import re
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from paige.models.errors import ApiRefused, ApiTruncated, BadAnswer
from paige.models.messages import Text
from paige.models.requests import Answer

T = TypeVar("T", bound=BaseModel)
_FENCED = re.compile(r"```(?:json)?\s*+(?P<json>.*)```", re.DOTALL)


def check_whole(answer: Answer) -> None:
    """Refuse an answer that is none. Raises: ApiRefused, ApiTruncated."""
    match answer.stop_reason:
        case "refusal":
            said = f": {answer.refusal}" if answer.refusal else ""
            raise ApiRefused(
                f"`{answer.model}` refused to answer{said}",
                hint="Ask in another way.",
                answer=answer,
            )
        case "max_tokens" | "model_context_window_exceeded":
            raise ApiTruncated(
                f"The answer of `{answer.model}` was cut off after {answer.usage.output} tokens",
                hint="Ask for less, or allow more tokens.",
                answer=answer,
            )


def read_answer(answer: Answer, schema: type[T]) -> T:
    """The value an answer holds. Raises: ApiRefused, ApiTruncated, BadAnswer."""
    check_whole(answer)
    text = _last_words(answer)
    fenced = _FENCED.fullmatch(
        text.strip()
    )  # servers without constrained decoding like to fence their JSON
    try:
        return schema.model_validate_json(fenced["json"] if fenced else text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise BadAnswer(
            f"The answer of `{answer.model}` is no `{schema.__name__}`: {place}: {first['msg']}",
            hint="Ask again.",
            answer=answer,
        ) from None


def _last_words(answer: Answer) -> str:
    """What is said after the last search or thought: the part that the schema holds for."""
    words: list[str] = []
    for block in reversed(answer.message.blocks):
        if not isinstance(block, Text):
            break
        words.append(block.text)
    return "".join(reversed(words)) if words else answer.text
