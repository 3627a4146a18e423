"""The tools of the memory: find what is known, and remember something."""

from paige.doors.frame.rows import Tool, tools

TOOLS = tools(
    "paige.doors.memory.operations",
    Tool(
        "memory_search",
        "find",
        title="Search the memory",
        description="Find what is remembered about a question: decisions, facts, earlier talks.",
        sets=("memory",),
    ),
    Tool(
        "memory_add",
        "remember_for_agent",
        title="Remember something",
        description="Remember one thing for later: a decision, a fact, a preference, what worked.",
        sets=("memory",),
    ),
)
