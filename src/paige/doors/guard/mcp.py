"""The tools of the Guard: read a long log, note what happened, look before deciding, learn from it.

What an agent says is stored as seen by nobody else: it can neither claim to be a person's
correction nor a person's approval. A guard that it asks for is a proposal; a person promotes it.
"""

from paige.doors.frame.rows import Tool, tools

TOOLS = (
    *tools(
        "paige.doors.guard.operations",
        Tool(
            "read_log",
            "read_log",
            title="Read a long log",
            description="Read a log of the project in pieces instead of whole: its last lines, the "
            "lines with some text, or a summary with counts, what comes most often and the last "
            "errors.",
            sets=("guard",),
        ),
    ),
    *tools(
        "paige.doors.guard.graph_operations",
        Tool(
            "store_trace",
            "store_trace",
            title="Note what happened",
            description="Note a correction, violation, decision or approval for later sessions: "
            "what happened, what would have been right, and why.",
            sets=("guard",),
            idempotent=False,
        ),
        Tool(
            "query_traces",
            "query_traces",
            title="Look for precedents",
            description="Find what happened before in a situation like this, before you decide. "
            "Begin with level `metadata`, then read what fits with `get_trace`.",
            sets=("guard",),
        ),
        Tool(
            "get_trace",
            "get_trace",
            title="Read one trace",
            description="Read one trace: metadata, summary or everything.",
            sets=("guard",),
        ),
    ),
    *tools(
        "paige.doors.guard.learned_operations",
        Tool(
            "extract_patterns",
            "extract_patterns",
            title="See what keeps happening",
            description="Patterns in what was refused and corrected, and the guards that could "
            "stop them. Changes nothing.",
            sets=("guard",),
        ),
        Tool(
            "create_guard",
            "create_guard",
            title="Propose a guard",
            description="Propose a guard, from a pattern or as a whole. It is tried on its "
            "examples, on harmless actions and on history; it blocks nothing until a person "
            "promotes it.",
            sets=("guard",),
        ),
    ),
)
