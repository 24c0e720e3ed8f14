import { requireExtra } from "../../common/extras.js";
import type {
  ConnectedKind,
  ConnectedListing,
  InputRequest,
  RemoteCall,
  RemoteCaller,
  RemoteResult,
  SourceRegistry,
} from "../remote.js";
import { ConnectWanted } from "./credentials/own.js";
import type { ConnectionStore } from "./credentials/store.js";

/** Settings of a caller. */
export interface RemoteSettings {
  sources: SourceRegistry;
  /** Told what a source offers now, whenever a call has listed it again. */
  onListed?: (listed: ConnectedListing) => Promise<void>;
  /** People's own credentials; if absent, nobody has any. */
  connections?: ConnectionStore;
}

const LOADERS: Record<ConnectedKind, (settings: RemoteSettings) => Promise<RemoteCaller>> = {
  mcp: async (settings) => {
    requireExtra("mcp");
    return (await import("./mcp/mcpCaller.js")).mcpCaller(settings);
  },
  openapi: async (settings) => (await import("./openapi/openApiCaller.js")).openApiCaller(settings),
};

/** The caller of all kinds of sources; each kind is loaded for its first call. */
export function remoteCallers(settings: RemoteSettings): RemoteCaller {
  const loading = new Map<ConnectedKind, Promise<RemoteCaller>>();
  return {
    async call(call) {
      const { kind } = call.record.source as { kind: ConnectedKind };
      const caller = loading.get(kind) ?? LOADERS[kind](settings);
      loading.set(kind, caller);
      try {
        return await (await caller).call(call);
      } catch (error) {
        if (!(error instanceof ConnectWanted)) throw error;
        return connectOutcome(error.request, call);
      }
    },
    async close() {
      for (const caller of loading.values()) await (await caller).close();
    },
  };
}

/** Asks the person to connect, unless nobody can be asked or they do not want to. */
function connectOutcome(request: InputRequest, { answers }: RemoteCall): RemoteResult {
  const answer = answers?.findLast(({ id }) => id === request.id);
  if (answers && answer?.action !== "decline") return { input: [request] };
  const { source, message } = request;
  const why = answers
    ? "the person did not connect"
    : `connect with tulipgraph tools login ${source}, or at a server with POST ${request.connect?.path}`;
  return { error: `not called: ${source}: ${message}; ${why}` };
}
