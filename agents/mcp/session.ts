import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type ContentBlock,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { oneLine } from "../../common/errors.js";
import { fileNames, pictureType } from "../../common/fileNames.js";
import { withoutSecrets } from "../../common/secrets.js";
import type { InputAnswer, InputRequest, ThreadFile } from "../../tools/remote.js";
import type { Toolbox } from "../toolbox.js";

/** How people connect to sources. */
export interface Connecting {
  /** Begins, if nobody has. @returns the page on which it is done */
  begin: (question: InputRequest) => Promise<URL>;
  /** Waits until it is done. */
  done: (question: InputRequest) => Promise<void>;
}

/** What the tools of one server share across all connections. */
export interface McpSession {
  toolbox: Toolbox;
  /** The thread of all calls in the journal; they share one world. */
  threadId: string;
  /** Nobody is asked before a write. */
  allowWrites: boolean;
  /** Seals the state of a call, which comes back with a person's answer. */
  codec: RequestStateCodec<Asked>;
  connecting: Connecting;
  /** Whether the sender may call tools, and find them. @throws Error */
  mayCall?: () => void;
  mayFind?: () => void;
  /** Asks whoever is behind a client that cannot ask. @throws Error that says what waits, and where */
  onPage?: (questions: readonly InputRequest[], ctx: ServerContext) => Promise<InputAnswer[]>;
}

/** The state of a call that waits for a person. */
export interface Asked {
  /** Prefix of the ids of calls in the journal, so that none is made twice. */
  id: string;
  /** Hash of what the person was shown. */
  shown: string;
  /** Ids of the questions that were answered with an approval. */
  approved: string[];
}

/** A client's request to one of the tools. */
export interface McpRequest {
  session: McpSession;
  server: McpServer;
  ctx: ServerContext;
}

/** What a tool answers: its result, or a question to a person. */
export type McpAnswer = CallToolResult | InputRequiredResult;

/** The state that a request brings from the previous round; a new one in the first round. */
export function askedBefore({ ctx }: McpRequest): Asked {
  return ctx.mcpReq.requestState<Asked>() ?? { id: randomUUID(), shown: "", approved: [] };
}

/** Whether the client can ask a person. */
export function canAsk(request: McpRequest): boolean {
  const elicitation = elicitationOf(request);
  // A client that can only open web pages declares just that.
  return elicitation !== undefined && (!("url" in elicitation) || "form" in elicitation);
}

/** Whether the client can open a web page for a person. */
export function canOpen(request: McpRequest): boolean {
  return elicitationOf(request)?.url !== undefined;
}

function elicitationOf({ server, ctx }: McpRequest): ClientCapabilities["elicitation"] {
  const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  return (declared ?? server.server.getClientCapabilities())?.elicitation;
}

/** A result as data, and as text for clients that read only text. */
export function resultOf(structuredContent: Record<string, unknown>, text: string): CallToolResult {
  return { structuredContent, content: [{ type: "text", text }] };
}

/** The same with the files that the text names, which a client could not fetch. */
export async function withNamedFiles(
  { content, ...result }: CallToolResult,
  { session }: Pick<McpRequest, "session">,
): Promise<CallToolResult> {
  const { toolbox, threadId } = session;
  const names = fileNames(JSON.stringify(content));
  const files = await toolbox.workspace.runtime.journal.files(threadId, names);
  return { ...result, content: [...content, ...files.map(fileBlock)] };
}

function fileBlock({ name, data }: ThreadFile): ContentBlock {
  const mimeType = pictureType(name);
  const blob = data.toString("base64");
  if (mimeType) return { type: "image", data: blob, mimeType };
  return { type: "resource", resource: { uri: `file:///${name}`, blob } };
}

/** A failure in one line, without secrets. */
export function failure(problem: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: withoutSecrets(oneLine(problem)) }] };
}

/** Milliseconds between notices that a call is still running. */
const BEAT_MS = 2000;

/**
 * Reports to the client that a request's call goes on, if the client has asked for it.
 *
 * @returns what ends the reports
 */
export function progressOf({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const beat = setInterval(() => {
    progress += 1;
    const params = { progressToken, progress, message: "started" };
    // A client that has gone ends the call anyway.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  }, BEAT_MS);
  return () => clearInterval(beat);
}
