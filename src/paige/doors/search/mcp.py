"""The tool of the one search, for whoever the agent works for."""

from paige.doors.frame.rows import Tool, tools

TOOLS = tools(
    "paige.doors.search.operations",
    Tool(
        "find_anything",
        "find_best",
        title="Search behind all doors",
        description="Find lessons, courses, sessions, gaps, guards, traces and memories that hold "
        "the words, in one list, each with where it is from and why it was found.",
        drops=("words", "problems.*.hint"),
    ),
)
