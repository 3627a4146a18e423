"""The reference of the loop benchmarks: the `anthropic` SDK in a `while`, and nothing else."""

import sys
from typing import Any

import anthropic

from bench.model_server import DESCRIPTION, MODEL, PROMPT, SCHEMA, SYSTEM, TOOL, page_text
from bench.worker import answer_stdin

TOOLS: Any = [{"name": TOOL, "description": DESCRIPTION, "input_schema": SCHEMA}]


async def run_once(client: anthropic.AsyncAnthropic, calls: int) -> None:
    """One run of so many model calls."""
    messages: list[Any] = [{"role": "user", "content": PROMPT}]
    turns = 0
    while True:
        answer = await client.messages.create(
            model=MODEL, max_tokens=4096, system=SYSTEM, tools=TOOLS, messages=messages
        )
        turns += 1
        messages.append(answer.to_param())
        uses = [block for block in answer.content if block.type == "tool_use"]
        if not uses:
            break
        said = [(use.id, page_text(int(str(use.input["page"])))) for use in uses]
        results = [{"type": "tool_result", "tool_use_id": i, "content": text} for i, text in said]
        messages.append({"role": "user", "content": results})
    assert turns == calls, turns


def _main() -> None:
    address, calls = sys.argv[1], int(sys.argv[2])
    client = anthropic.AsyncAnthropic(api_key="key", base_url=f"{address}/{calls}", max_retries=0)
    answer_stdin(lambda: run_once(client, calls), calls)


if __name__ == "__main__":
    _main()
