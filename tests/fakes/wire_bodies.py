"""Bodies in the real wire formats of the three kinds of provider.

Every builder of a kind takes the same arguments, so that one test can hold for all of them. Each
kind reports the same usage: 120 tokens read, 30 written, 100 into the cache and 2,000 out of it
(compatible servers tell of no cache writes).
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tests.fakes.model_server import Json, Sse

Body = dict[str, Any]


class Kind(NamedTuple):
    """How one kind of provider puts things."""

    name: str
    path: str
    answer: Callable[..., Json]
    tool_call: Callable[[str, str, Mapping[str, Any]], Json]
    refusal: Callable[[str], Json]
    truncated: Callable[[str], Json]
    error: Callable[..., Json]
    text_stream: Callable[..., Sse]
    tool_stream: Callable[..., Sse]
    stream_error: Callable[[], Body]


# --- Anthropic Messages ---------------------------------------------------------------------------


def anthropic_usage() -> Body:
    return {
        "input_tokens": 120,
        "output_tokens": 30,
        "cache_creation_input_tokens": 100,
        "cache_read_input_tokens": 2000,
        "cache_creation": {"ephemeral_5m_input_tokens": 100, "ephemeral_1h_input_tokens": 0},
        "server_tool_use": None,
        "service_tier": "standard",
    }


def anthropic_message(
    content: Sequence[Body], stop_reason: str = "end_turn", **more: object
) -> Json:
    body = {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": list(content),
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": anthropic_usage(),
        **more,
    }
    return Json(body, headers={"request-id": "req_123"})


def _anthropic_answer(text: str) -> Json:
    return anthropic_message([{"type": "text", "text": text}])


def _anthropic_tool_call(call_id: str, name: str, given: Mapping[str, Any]) -> Json:
    use = {"type": "tool_use", "id": call_id, "name": name, "input": dict(given)}
    return anthropic_message([{"type": "text", "text": "checking"}, use], "tool_use")


def _anthropic_refusal(text: str) -> Json:
    details = {"type": "refusal", "category": "cyber", "explanation": text}
    return anthropic_message([], "refusal", stop_details=details)


def _anthropic_truncated(text: str) -> Json:
    return anthropic_message([{"type": "text", "text": text}], "max_tokens")


def _anthropic_error(status: int, kind: str, message: str, **headers: str) -> Json:
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_9"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Json(body, status, {"request-id": "req_9", **named})


def anthropic_stream(blocks: Sequence[Sequence[Body]], stop_reason: str, *, cut: int = 0) -> Sse:
    """Each block is its `content_block` followed by its deltas; `cut` drops so many last events."""
    usage = {"input_tokens": 120, "output_tokens": 1, "cache_creation_input_tokens": 100}
    usage["cache_read_input_tokens"] = 2000
    start = {**anthropic_message([]).body, "stop_reason": None, "usage": usage}  # type: ignore[dict-item]
    events: list[Body] = [{"type": "message_start", "message": start}]
    for index, (block, *deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events.append({"type": "ping"})
        events += [
            {"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas
        ]
        events.append({"type": "content_block_stop", "index": index})
    last = {"stop_reason": stop_reason, "stop_sequence": None}
    events.append({"type": "message_delta", "delta": last, "usage": {"output_tokens": 30}})
    events.append({"type": "message_stop"})
    headers = {"request-id": "req_123"}
    return Sse(events[: len(events) - cut], cut=cut > 0, headers=headers)


def _anthropic_text_stream(*pieces: str, cut: int = 0) -> Sse:
    deltas = [{"type": "text_delta", "text": piece} for piece in pieces]
    return anthropic_stream([[{"type": "text", "text": ""}, *deltas]], "end_turn", cut=cut)


def _anthropic_tool_stream(call_id: str, name: str, *pieces: str) -> Sse:
    block = {"type": "tool_use", "id": call_id, "name": name, "input": {}}
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
    return anthropic_stream([[block, *deltas]], "tool_use")


def _anthropic_stream_error() -> Body:
    return {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


# --- OpenAI Responses -----------------------------------------------------------------------------


def openai_usage() -> Body:
    return {
        "input_tokens": 2220,
        "input_tokens_details": {"cached_tokens": 2000, "cache_write_tokens": 100},
        "output_tokens": 30,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 2250,
    }


def openai_response(output: Sequence[Body], status: str = "completed", **more: object) -> Json:
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5",
        "status": status,
        "output": list(output),
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": openai_usage(),
        "error": None,
        "incomplete_details": None,
        "instructions": None,
        "metadata": {},
        **more,
    }
    return Json(body, headers={"x-request-id": "req_123"})


def openai_text(text: str) -> Body:
    part = {"type": "output_text", "text": text, "annotations": []}
    return openai_output([part])


def openai_output(parts: Sequence[Body]) -> Body:
    item = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed"}
    return {**item, "content": list(parts)}


def _openai_answer(text: str) -> Json:
    return openai_response([{"type": "reasoning", "id": "rs_1", "summary": []}, openai_text(text)])


def openai_call(call_id: str, name: str, arguments: str) -> Body:
    item = {"type": "function_call", "id": "fc_1", "call_id": call_id, "name": name}
    return {**item, "arguments": arguments, "status": "completed"}


def _openai_tool_call(call_id: str, name: str, given: Mapping[str, Any]) -> Json:
    return openai_response([openai_text("checking"), openai_call(call_id, name, json.dumps(given))])


def _openai_refusal(text: str) -> Json:
    return openai_response([openai_output([{"type": "refusal", "refusal": text}])])


def _openai_truncated(text: str) -> Json:
    details = {"reason": "max_output_tokens"}
    return openai_response([openai_text(text)], "incomplete", incomplete_details=details)


def _openai_error(status: int, kind: str, message: str, **headers: str) -> Json:
    body = {"error": {"message": message, "type": kind, "param": None, "code": None}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Json(body, status, {"x-request-id": "req_9", **named})


def _openai_stream(output: Sequence[Body], middle: Sequence[Body], cut: int = 0) -> Sse:
    started = {**openai_response([], "in_progress").body, "usage": None}  # type: ignore[dict-item]
    done = openai_response(output).body
    events = [
        {"type": "response.created", "response": started},
        *middle,
        {"type": "response.completed", "response": done},
    ]
    numbered = [{**event, "sequence_number": n} for n, event in enumerate(events)]
    headers = {"x-request-id": "req_123"}
    return Sse(numbered[: len(numbered) - cut], cut=cut > 0, headers=headers)


def _openai_text_stream(*pieces: str, cut: int = 0) -> Sse:
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    item = {**openai_output([]), "status": "in_progress"}
    middle = [
        {"type": "response.output_item.added", "output_index": 0, "item": item},
        {"type": "response.content_part.added", **place, "part": {"type": "output_text"}},
        *(
            {"type": "response.output_text.delta", **place, "delta": piece, "logprobs": []}
            for piece in pieces
        ),
        {"type": "response.output_text.done", **place, "text": "".join(pieces)},
    ]
    return _openai_stream([openai_text("".join(pieces))], middle, cut)


def _openai_tool_stream(call_id: str, name: str, *pieces: str) -> Sse:
    item = openai_call(call_id, name, "".join(pieces))
    place = {"item_id": "fc_1", "output_index": 0}
    added = {"type": "response.output_item.added", "output_index": 0}
    middle = [
        {**added, "item": {**item, "arguments": "", "status": "in_progress"}},
        *(
            {"type": "response.function_call_arguments.delta", **place, "delta": piece}
            for piece in pieces
        ),
        {"type": "response.output_item.done", "output_index": 0, "item": item},
    ]
    return _openai_stream([item], middle)


def _openai_stream_error() -> Body:
    return {"type": "error", "code": "overloaded_error", "message": "Overloaded", "param": None}


# --- Chat Completions -----------------------------------------------------------------------------


def chat_usage() -> Body:
    return {
        "prompt_tokens": 2120,
        "completion_tokens": 30,
        "total_tokens": 2150,
        "prompt_tokens_details": {"cached_tokens": 2000},
    }


def chat_completion(message: Body, finish_reason: str = "stop", **more: object) -> Json:
    said = {"role": "assistant", "content": None, "refusal": None, **message}
    choice = {"index": 0, "finish_reason": finish_reason, "logprobs": None, "message": said}
    body = {
        "id": "cc_1",
        "object": "chat.completion",
        "created": 1,
        "model": "llama",
        "choices": [choice],
        "usage": chat_usage(),
        **more,
    }
    return Json(body, headers={"x-request-id": "req_123"})


def _chat_answer(text: str) -> Json:
    return chat_completion({"content": text})


def _chat_tool_call(call_id: str, name: str, given: Mapping[str, Any]) -> Json:
    function = {"name": name, "arguments": json.dumps(given)}
    call = {"id": call_id, "type": "function", "function": function}
    return chat_completion({"content": "checking", "tool_calls": [call]}, "tool_calls")


def _chat_refusal(text: str) -> Json:
    return chat_completion({"refusal": text})


def _chat_truncated(text: str) -> Json:
    return chat_completion({"content": text}, "length")


def _chat_stream(deltas: Sequence[Body], finish_reason: str, cut: int = 0) -> Sse:
    head = {"id": "cc_1", "object": "chat.completion.chunk", "created": 1, "model": "llama"}
    chunks: list[Body] = [
        {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}], "usage": None}
        for delta in ({"role": "assistant", "content": ""}, *deltas)
    ]
    last = {"index": 0, "delta": {}, "finish_reason": finish_reason}
    chunks.append({**head, "choices": [last], "usage": None})
    chunks.append({**head, "choices": [], "usage": chat_usage()})
    headers = {"x-request-id": "req_123"}
    # The two last chunks only close the answer: the break has to come before both.
    kept = chunks[: len(chunks) - cut - 1] if cut else chunks
    return Sse(kept, done=True, cut=cut > 0, headers=headers)


def _chat_text_stream(*pieces: str, cut: int = 0) -> Sse:
    return _chat_stream([{"content": piece} for piece in pieces], "stop", cut)


def _chat_tool_stream(call_id: str, name: str, *pieces: str) -> Sse:
    started = {"index": 0, "id": call_id, "type": "function"}
    first = {"tool_calls": [{**started, "function": {"name": name, "arguments": ""}}]}
    rest = [{"tool_calls": [{"index": 0, "function": {"arguments": piece}}]} for piece in pieces]
    return _chat_stream([first, *rest], "tool_calls")


def _chat_stream_error() -> Body:
    return {"error": {"message": "Overloaded", "type": "overloaded_error", "code": None}}


ANTHROPIC = Kind(
    "anthropic",
    "/v1/messages",
    _anthropic_answer,
    _anthropic_tool_call,
    _anthropic_refusal,
    _anthropic_truncated,
    _anthropic_error,
    _anthropic_text_stream,
    _anthropic_tool_stream,
    _anthropic_stream_error,
)
OPENAI = Kind(
    "openai",
    "/v1/responses",
    _openai_answer,
    _openai_tool_call,
    _openai_refusal,
    _openai_truncated,
    _openai_error,
    _openai_text_stream,
    _openai_tool_stream,
    _openai_stream_error,
)
CHAT = Kind(
    "openai-compatible",
    "/v1/chat/completions",
    _chat_answer,
    _chat_tool_call,
    _chat_refusal,
    _chat_truncated,
    _openai_error,
    _chat_text_stream,
    _chat_tool_stream,
    _chat_stream_error,
)
KINDS = (ANTHROPIC, OPENAI, CHAT)
