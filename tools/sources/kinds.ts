import type {
  ConnectedKind,
  ConnectedSource,
  InputRequest,
  RemoteCall,
  RemoteCaller,
  RemoteResult,
  WantedCredentials,
} from "../remote.js";
import type { SourceReading } from "../tool.js";
import type { SourceStores } from "./credentials/store.js";
import { ConnectWanted } from "./credentials/own.js";

/** What differs between the kinds of connected sources. Each is loaded at its first use. */
interface Kind {
  list: (
    source: ConnectedSource,
    stores: Pick<SourceStores, "connections">,
  ) => Promise<SourceReading>;
  wanted: (source: ConnectedSource) => Promise<WantedCredentials>;
  caller: (stores: SourceStores) => Promise<RemoteCaller>;
}

const KINDS: Record<ConnectedKind, Kind> = {
  mcp: {
    async list({ name, settings }, { connections }) {
      const { readServer } = await import("./mcp/listing.js");
      const { settingsOf } = await import("./mcp/settings.js");
      return (await readServer({ name, settings: settingsOf({ settings }), connections })).listing;
    },
    wanted: async (source) => (await import("./mcp/settings.js")).wantedByMcp(source),
    caller: async (stores) => (await import("./mcp/mcpCaller.js")).mcpCaller(stores),
  },
  openapi: {
    async list({ name, settings }) {
      const { listOpenApi } = await import("./openapi/listOpenApi.js");
      const { openApiSettings } = await import("./openapi/settings.js");
      const { tools, problems } = await listOpenApi({ name, ...openApiSettings(name, settings) });
      return { tools, problems };
    },
    wanted: async (source) => (await import("./openapi/settings.js")).wantedByOpenApi(source),
    caller: async (stores) => (await import("./openapi/openApiCaller.js")).openApiCaller(stores),
  },
};

/**
 * Asks a connected source what it offers now, with the credentials of the home; stores nothing.
 *
 * @throws what went wrong, in one line
 */
export async function listSource(
  source: ConnectedSource,
  stores: Pick<SourceStores, "connections"> = {},
): Promise<SourceReading> {
  return await KINDS[source.kind].list(source, stores);
}

/** What a source wants of each person whose own credentials it takes. */
export async function wantedFrom(source: ConnectedSource): Promise<WantedCredentials> {
  return await KINDS[source.kind].wanted(source);
}

/** Makes the calls of all connected sources' tools. */
export function remoteCaller(stores: SourceStores): RemoteCaller {
  const callers = new Map<ConnectedKind, Promise<RemoteCaller>>();
  return {
    async call(call) {
      const { kind } = call.record.source as { kind: ConnectedKind };
      const caller = callers.get(kind) ?? KINDS[kind].caller(stores);
      callers.set(kind, caller);
      const { source } = call.record;
      const name = source.kind === "mcp" ? source.server : source.kind === "openapi" && source.api;
      const note = (isReached: boolean) => void (name && stores.onReached?.(name, isReached));
      try {
        const result = await (await caller).call(call);
        note(!result.isUnreached);
        return result;
      } catch (error) {
        if (isUnreached(error)) note(false);
        if (!(error instanceof ConnectWanted)) throw error;
        return connectOutcome(error.request, call);
      }
    },
    async close() {
      for (const caller of callers.values()) await (await caller).close();
    },
  };
}

function isUnreached(error: unknown): boolean {
  const { details } = Object(error) as { details?: { isUnreached?: boolean } };
  return details?.isUnreached === true;
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
