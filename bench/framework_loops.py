"""The same loop in other frameworks: one function each, run by the Python that has it installed.

Each is used as its documentation shows it, unstreamed, with tracing to outside services off and no
retries. Started by `bench.frameworks`, as `python -m bench.framework_loops NAME ADDRESS CALLS`.
"""

# Their packages are not among ours, and each worker has use for one of them only.
# ruff: noqa: PLC0415
# pyright: reportMissingImports=false, reportUndefinedVariable=false

import asyncio
import sqlite3
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from bench.model_server import DESCRIPTION, MODEL, PROMPT, SCHEMA, SYSTEM, TOOL, page_text
from bench.worker import answer_stdin

Run = Callable[[], Awaitable[None]]


def raw_openai(address: str, calls: int) -> Run:
    """The `openai` SDK in a `while`, for comparing what is built on it."""
    import openai

    client = openai.AsyncOpenAI(api_key="key", base_url=f"{address}/v1", max_retries=0)
    tool: Any = {"type": "function", "name": TOOL, "description": DESCRIPTION}
    tool |= {"parameters": SCHEMA, "strict": True}

    async def run() -> None:
        items: list[Any] = [{"role": "user", "content": PROMPT}]
        text = ""
        for _ in range(calls):
            answer = await client.responses.create(
                model=MODEL, instructions=SYSTEM, tools=[tool], input=items
            )
            for item in answer.output:
                items.append(item.to_dict())
                if item.type == "function_call":
                    said = {"type": "function_call_output", "call_id": item.call_id}
                    items.append({**said, "output": page_text(len(items))})
            text = answer.output_text
        assert text

    return run


def pydantic_ai(address: str, calls: int) -> Run:
    """An `Agent` with one tool."""
    import anthropic
    from pydantic_ai import Agent
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider
    from pydantic_ai.usage import UsageLimits

    client = anthropic.AsyncAnthropic(api_key="key", base_url=address, max_retries=0)
    model = AnthropicModel(MODEL, provider=AnthropicProvider(anthropic_client=client))
    agent = Agent(model, instructions=SYSTEM, model_settings={"max_tokens": 4096})
    limits = UsageLimits(request_limit=calls)

    @agent.tool_plain(name=TOOL, description=DESCRIPTION)
    async def look_up(page: int) -> str:  # pyright: ignore[reportUnusedFunction]
        return page_text(page)

    async def run() -> None:
        result = await agent.run(PROMPT, usage_limits=limits)
        assert len(result.all_messages()) == calls * 2

    return run


def openai_agents(address: str, calls: int) -> Run:
    """`Runner.run` of an `Agent` with one tool, over the Responses API, without tracing."""
    import agents
    import openai

    client = openai.AsyncOpenAI(api_key="key", base_url=f"{address}/v1", max_retries=0)
    agents.set_tracing_disabled(True)

    @agents.function_tool(name_override=TOOL, description_override=DESCRIPTION)
    async def look_up(page: int) -> str:
        return page_text(page)

    agent = agents.Agent(
        name="reader",
        instructions=SYSTEM,
        tools=[look_up],
        model=agents.OpenAIResponsesModel(MODEL, client),
    )

    async def run() -> None:
        result = await agents.Runner.run(agent, PROMPT, max_turns=calls)
        assert len(result.raw_responses) == calls

    return run


def langgraph(address: str, calls: int) -> Run:
    """A graph of model and tools, without checkpoints."""
    return _graph_run(_graph(address), calls)


def langgraph_sqlite(address: str, calls: int) -> Run:
    """The same graph with every step kept by `AsyncSqliteSaver`."""
    file = Path(tempfile.mkdtemp()) / "checkpoints.db"
    opened: list[Run] = []

    async def run() -> None:
        if not opened:  # it wants a running event loop
            opened.append(_graph_run(_graph(address, await _saver(file)), calls))
        await opened[0]()

    return run


def _graph(address: str, saver: object = None) -> Any:  # noqa: ANN401 - a type we may not have
    from langchain_anthropic import ChatAnthropic
    from langchain_core.messages import SystemMessage
    from langchain_core.tools import tool
    from langgraph.graph import START, MessagesState, StateGraph
    from langgraph.prebuilt import ToolNode, tools_condition

    @tool(TOOL, description=DESCRIPTION)
    async def look_up(page: int) -> str:
        return page_text(page)

    chat = ChatAnthropic(
        model_name=MODEL, api_key="key", base_url=address, max_retries=0, max_tokens_to_sample=4096
    )  # type: ignore[call-arg]  # names of its fields and aliases differ by version
    model = chat.bind_tools([look_up])

    async def ask(state: dict[str, Any]) -> dict[str, Any]:
        return {"messages": [await model.ainvoke([SystemMessage(SYSTEM), *state["messages"]])]}

    graph = StateGraph(MessagesState)
    graph.add_node("ask", ask)
    graph.add_node("tools", ToolNode([look_up]))
    graph.add_edge(START, "ask")
    graph.add_conditional_edges("ask", tools_condition)
    graph.add_edge("tools", "ask")
    return graph.compile(checkpointer=saver)


def _graph_run(graph: Any, calls: int) -> Run:  # noqa: ANN401 - a type we may not have
    runs = iter(range(sys.maxsize))

    async def run() -> None:
        config = {"recursion_limit": calls * 2 + 1, "configurable": {"thread_id": str(next(runs))}}
        state = await graph.ainvoke({"messages": [("user", PROMPT)]}, config)
        assert len(state["messages"]) == calls * 2

    return run


async def _saver(file: Path) -> Any:  # noqa: ANN401 - a type we may not have
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    saver = AsyncSqliteSaver(await aiosqlite.connect(file))
    await saver.setup()
    return saver


def checkpoint_bytes(address: str, calls: int) -> int:
    """How large LangGraph's SQLite file is after one run."""

    async def run(file: Path) -> None:
        saver = await _saver(file)
        await _graph_run(_graph(address, saver), calls)()
        await saver.conn.close()

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "checkpoints.db"
        asyncio.run(run(file))
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return file.stat().st_size


LOOPS: dict[str, Callable[[str, int], Run]] = {
    "raw openai": raw_openai,
    "pydantic-ai": pydantic_ai,
    "openai-agents": openai_agents,
    "langgraph": langgraph,
    "langgraph + SQLite": langgraph_sqlite,
}


def _main() -> None:
    name, address, calls = sys.argv[1], sys.argv[2], int(sys.argv[3])
    if name == "checkpoint bytes":
        print(checkpoint_bytes(f"{address}/{calls}", calls))
    else:
        answer_stdin(LOOPS[name](f"{address}/{calls}", calls), calls)


if __name__ == "__main__":
    _main()
