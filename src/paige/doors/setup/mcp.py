"""The tool that every agent has: what is set up."""

from paige.doors.frame.rows import Tool, tools

TOOLS = tools(
    "paige.doors.setup.operations",
    Tool(
        "paige_setup",
        "setup",
        title="What is set up",
        description="Say what is set up in this Paige: version, provider, project, what needs "
        "fixing.",
        sets=("coach", "study", "memory", "guard"),
        drops=("database", "data_dir", "passcode", "doors"),
    ),
)
