"""The edges: command line, later HTTP and MCP. Only here is anything printed or decoded from the wire."""
