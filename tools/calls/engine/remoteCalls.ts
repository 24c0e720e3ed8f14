import type { ConnectedKind, ConnectedListing, SourceRegistry } from "../../sources/connected.js";
import type { Behalf } from "../runtime.js";
import { ConnectWanted } from "../../sources/credentials/own.js";
import type { ConnectionStore } from "../../sources/credentials/store.js";
import type { ThreadFiles } from "../journal/threadFiles.js";
import type { ToolRecord } from "../../tool.js";
import type { InputAnswer, InputRequest } from "./callOutcome.js";

/** A call of a connected source's tool, with valid arguments. */
export interface RemoteCall {
  record: ToolRecord;
  args: Record<string, unknown>;
  threadId: string;
  callId: string;
  /** Aborted when the call's time is over or the run is cancelled; the other side is told if its protocol allows it. */
  signal: AbortSignal;
  /** Call this once the connection is open: opening it does not count as the tool's time. */
  onReady: () => void;
  /** Wait for this before anything is sent that can have a lasting effect. */
  onStart: () => Promise<void>;
  /**
   * What a person has answered so far, to this call and to others; absent if nobody can be asked, and then questions are
   * declined.
   */
  answers?: readonly InputAnswer[];
  /** On whose behalf it is made; absent if it is nobody's, and then only shared credentials are used. */
  behalf?: Behalf;
  /** Of the call's thread. */
  files: ThreadFiles;
  task: RemoteTask;
}

/** A call that goes on at its other side, whatever becomes of this process. */
export interface RemoteTask {
  /** The id that the other side gave it when an earlier process made the call. */
  id?: string;
  /** Wait for this when the other side has given it one; from then on, the call may take longer. */
  note: (id: string) => Promise<void>;
}

/** The outcome of a call that has ended by itself or waits for a person. */
export interface RemoteResult {
  /** JSON text; absent if there is no result. */
  resultJson?: string;
  /** In one line, if the other side answered that the call failed. */
  error?: string;
  /** What the other side asks first: the same call is made again with the answers. */
  input?: InputRequest[];
  /** With `input`: the call stays under way meanwhile, and is lost with this process. */
  isOpen?: boolean;
  /** Of the task that the call was, the other side knows nothing any more, or cannot be reached. */
  isLost?: boolean;
}

/** Makes the calls of one kind of connected source. */
export interface RemoteCaller {
  /** @throws what went wrong on the way, with a message that a model can read and without secrets */
  call: (call: RemoteCall) => Promise<RemoteResult>;
  /** Closes all connections. */
  close: () => Promise<void>;
}

/** Settings of a caller. */
export interface RemoteSettings {
  sources: SourceRegistry;
  /** Told what a source offers now, whenever a call has listed it again. */
  onListed?: (listed: ConnectedListing) => Promise<void>;
  /** People's own credentials; if absent, nobody has any. */
  connections?: ConnectionStore;
}

/** The callers of all kinds, each loaded for its first call. */
export type RemoteCallers = ReturnType<typeof remoteCallers>;

const LOADERS: Record<ConnectedKind, (settings: RemoteSettings) => Promise<RemoteCaller>> = {
  mcp: async (settings) =>
    (await import("../../sources/mcp/mcpCaller.js")).mcpCaller(settings),
  openapi: async (settings) =>
    (await import("../../sources/openapi/openApiCaller.js")).openApiCaller(settings),
};

/** Loads nothing until the first call. */
export function remoteCallers(settings: RemoteSettings) {
  const loading = new Map<ConnectedKind, Promise<RemoteCaller>>();
  return {
    async call(kind: ConnectedKind, call: RemoteCall): Promise<RemoteResult> {
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
