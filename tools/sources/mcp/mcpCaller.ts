import type { RemoteCaller, RemoteSettings } from "../../runtime/remoteCalls.js";

/** Makes calls of the tools of MCP servers. */
export function mcpCaller(_settings: RemoteSettings): RemoteCaller {
  return {
    async call({ record }) {
      throw new Error(`${record.id} cannot be called yet`);
    },
    async close() {},
  };
}
