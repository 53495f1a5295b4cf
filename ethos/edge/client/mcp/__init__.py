"""The MCP server: tools, resources and a prompt for agents, over the actions that the socket has too."""
