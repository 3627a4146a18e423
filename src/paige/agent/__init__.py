"""The agent loop, its journal, hooks, tools, skills, commands and sessions."""
