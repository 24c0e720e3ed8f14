import type { RemoteCaller, RemoteSettings } from "../../runtime/remoteCalls.js";

/** Makes calls of the operations of OpenAPI documents. */
export function openApiCaller(_settings: RemoteSettings): RemoteCaller {
  return {
    async call({ record }) {
      throw new Error(`${record.id} cannot be called yet`);
    },
    async close() {},
  };
}
