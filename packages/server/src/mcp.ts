// The MCP server: what `vicinal mcp` runs. A separate entry point, like the HTTP service.

export { createMcpServer, type McpOptions, mcpHandler, serveMcp } from './mcp/mcp-server.ts'
export type { ToolSettings } from './mcp/tools.ts'
