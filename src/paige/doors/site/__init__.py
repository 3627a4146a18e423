"""The whole house put together: the server, the MCP endpoint, the command line."""
