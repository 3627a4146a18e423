"""Records what Paige answers at every door, and compares two recordings.

`python -m tools.exchanges record DIR` starts Paige from this tree, drives a fixed script through
REST, the socket, MCP and the command line, and writes what was answered; `compare DIR` does it
again and shows what is different. Whatever cannot be the same twice has a placeholder.
"""
