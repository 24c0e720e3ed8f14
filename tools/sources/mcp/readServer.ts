import type { ConnectedListing, ConnectedSource } from "../connected.js";
import { START_MS } from "./bounds.js";
import { openConnection } from "./connection.js";
import { causeText, connectionProblem } from "./failures.js";
import { listServer } from "./listing.js";
import type { McpSettings } from "./settings.js";

/**
 * Connects to an MCP server and lists the tools that it offers.
 *
 * @param options.startMs time limit in milliseconds for its start, and for each page of its list
 * @throws McpFailed in one line: what went wrong and what to do
 * @example
 * const settings = { command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"], env: {}, cwd: "." };
 * const { source, listing } = await readServer({ name: "memory", settings });
 */
export async function readServer(options: {
  name: string;
  settings: McpSettings;
  startMs?: number;
}): Promise<ConnectedListing> {
  const { name, settings, startMs: timeoutMs = START_MS } = options;
  const source: ConnectedSource = { name, kind: "mcp", settings: { ...settings } };
  const events = {
    onQuestion: async () => ({ action: "decline" as const }),
    onListChanged() {},
    onClosed() {},
  };
  const connection = await openConnection({ source, timeoutMs, events });
  try {
    return await listServer({ source, connection, timeoutMs });
  } catch (error) {
    const { reach } = connection;
    const fault = connection.brokenBy();
    throw connectionProblem({
      name,
      reach,
      timeoutMs,
      error,
      fault,
      stderr: causeText(error, reach),
    });
  } finally {
    await connection.close();
  }
}
