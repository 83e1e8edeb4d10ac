"""The MCP door: tools, resources and a prompt for assistants, over stdio or HTTP, with the official SDK."""
