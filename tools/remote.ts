import type { JsonSchema } from "../common/schemas/jsonSchema.js";
import type { SourceReading, ToolDefinition, ToolRecord } from "./tool.js";

// What connected sources, the calls of their tools, and people's credentials there have in common.

/** The kinds of sources whose tools are called over a protocol. */
const CONNECTED_KINDS = ["mcp", "openapi"] as const;
export type ConnectedKind = (typeof CONNECTED_KINDS)[number];

/**
 * A source whose tools are called over a protocol, as a home stores it: an MCP server or an OpenAPI document. Any
 * number of libraries can have its tools.
 */
export interface ConnectedSource {
  /** Unique in the home; the first part of its tools' ids ("files.read_file"). */
  name: string;
  kind: ConnectedKind;
  /**
   * How to reach it, as plain data of its kind. Never a secret: environment variables are named ("$TOKEN") and read
   * when needed.
   */
  settings: Record<string, unknown>;
  /** About the last listing, if the kind stores anything: when it was made, how long it is valid. */
  listed?: Record<string, unknown>;
}

/** A listing, and its source as it is to be stored. */
export interface ConnectedListing {
  source: ConnectedSource;
  listing: SourceReading;
}

/** The connected sources of a home. */
export interface SourceRegistry {
  list: () => Promise<ConnectedSource[]>;
  get: (name: string) => Promise<ConnectedSource | undefined>;
  /** Adds a source, or replaces the one with its name. */
  put: (source: ConnectedSource) => Promise<void>;
  remove: (name: string) => Promise<void>;
}

/** What a source may be called. Its tools' ids start with the name and a dot. */
export const SOURCE_NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** The origin of a source's tools in libraries: "mcp:files". */
export function connectedOrigin({ kind, name }: Pick<ConnectedSource, "kind" | "name">): string {
  return `${kind}:${name}`;
}

/** Whether the tools of an origin come from a connected source. */
export function isConnectedOrigin(origin: string): boolean {
  return CONNECTED_KINDS.some((kind) => origin.startsWith(`${kind}:`));
}

/**
 * Whose credentials a source takes. `shared`: those of the home, for everybody · `caller`: each owner's own · `passthrough`:
 * the token with which its owner came to a server.
 */
export const CREDENTIALS = ["shared", "caller", "passthrough"] as const;

/** The part of a source's settings that says whose credentials it takes. */
export interface TakenCredentials {
  /** @default "shared" */
  credentials?: (typeof CREDENTIALS)[number];
  /** Of `passthrough`: whose tokens, and for whom they must be. */
  issuer?: string;
  audience?: string;
}

/** A source whose tools exist and cannot be called as things are: it does not answer, or wants a connection first. */
export interface SourceAway {
  name: string;
  why: "down" | "unconnected";
}

/** Whose credentials a source takes, as its settings say. */
export function credentialsOf({ settings }: Pick<ConnectedSource, "settings">) {
  return CREDENTIALS.find((each) => each === settings["credentials"]) ?? "shared";
}

/** What a person has to give to a source that takes each owner's own credentials. */
export interface WantedCredentials {
  /** Values for variables, or a login with OAuth. */
  way: "key" | "login";
  /** The variables. */
  fields: string[];
  /** Where credentials may be sent: origins of addresses, or the command of a program. */
  places: string[];
}

/** On whose behalf calls are made. */
export interface Behalf {
  /** The owner who started or answered the run; empty on a machine that asks nobody who they are. */
  owner: string;
  /** The owner of the thread: if it is another one, nobody's own credentials are used. */
  threadOwner: string;
  /** The key, or the token's subject, with which that owner came. */
  caller: string;
  /** Whether that owner may find and call a tool. @default every tool */
  isGranted?: (tool: ToolDefinition) => boolean;
  /** Whether whoever started the run may no longer act, asked before each write. @default never */
  isWithdrawn?: () => Promise<boolean>;
}

/** Whoever uses this machine. */
export const LOCAL: Behalf = { owner: "", threadOwner: "", caller: "" };

/** Key of a run's `Behalf` in its `configurable`. */
export const BEHALF_KEY = "__tulipgraph_behalf";

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
  files: Pick<ThreadFiles, "keepFile" | "files">;
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
  /** The other side no longer knows the task that the call was, or cannot be reached. */
  isLost?: boolean;
  /** With `error`: the other side could not be reached, or is out of service. */
  isUnreached?: boolean;
}

/** Makes calls of connected sources' tools. */
export interface RemoteCaller {
  /** @throws what went wrong on the way, with a message that a model can read and without secrets */
  call: (call: RemoteCall) => Promise<RemoteResult>;
  /** Closes all connections. */
  close: () => Promise<void>;
}

/** A file that a tool has sent. */
export interface ThreadFile {
  /** @example "received/3f0c….png" */
  name: string;
  data: Buffer;
}

/** The files that tools have sent to a thread. They are nobody else's, and go with it. */
export interface ThreadFiles {
  /**
   * Keeps a file, once for the same contents.
   *
   * @returns its name; undefined if the thread has no room left, or was deleted
   */
  keepFile: (
    file: Pick<ThreadFile, "data"> & { threadId: string; mimeType?: string },
  ) => Promise<string | undefined>;
  /** Those of a thread that have these names. */
  files: (threadId: string, names: readonly string[]) => Promise<ThreadFile[]>;
  /** Gives a copy of a thread its files. */
  copyFiles: (threads: { from: string; to: string }) => Promise<void>;
}

/** How the error of a write ends that was given up while it was under way. */
export const MAY_HAVE_HAPPENED = "may or may not have taken effect";

/** A question that the other side of a call asks a person before it continues. */
export interface InputRequest {
  /** Identifies the question; the answer repeats it. */
  id: string;
  source: string;
  tool: string;
  callId: string;
  message: string;
  /** Asks whether an interrupted write was made, which the other side cannot say. */
  isOutcome?: boolean;
  /** The calls of a saved plan that the person is asked to approve. */
  calls?: CallsToApprove;
  /** The form of the answer: an object of plain values. */
  schema?: JsonSchema;
  /** A page where the person is to do something, instead of giving an answer. */
  url?: string;
  /** The source takes the person's own credentials, and has none that work. Never answered with a secret. */
  connect?: WantedConnection;
}

/** What a saved plan is about to do. */
interface CallsToApprove {
  code: string;
  /** In the order in which they are made. */
  planned: { tool: Pick<ToolRecord, "id" | "hash">; args: Record<string, unknown> }[];
  /** Nothing else will be asked about. */
  complete: boolean;
}

/** How the person behind a call connects to a source. */
export interface WantedConnection {
  /**
   * `key`: with values for the fields · `login`: with OAuth · `token`: by going on with a valid token · `owner`: only the
   * owner of the thread can go on.
   */
  way: "key" | "login" | "token" | "owner";
  fields: string[];
  /** Where a server takes it: POST. */
  path: string;
}

/** Whether whoever is asked can make the connection, here and now. */
export function isConnectable({ way }: Pick<WantedConnection, "way">): boolean {
  return way === "key" || way === "login";
}

/** A person's answer to an {@link InputRequest}. */
export interface InputAnswer {
  id: string;
  /** `cancel`: the person has not decided. */
  action: "accept" | "decline" | "cancel";
  content?: Record<string, string | number | boolean | string[]>;
}
