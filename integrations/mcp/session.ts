import { randomUUID } from "node:crypto";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type CallToolResult,
  type ClientCapabilities,
  type InputRequiredResult,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { oneLine } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import type { Toolbox } from "../toolbox.js";

/** What the tools of one server share, whichever connection a call comes over. */
export interface McpSession {
  toolbox: Toolbox;
  /** All calls act on the same world and are in the journal under this. */
  threadId: string;
  /** Nobody is asked before a write. */
  allowWrites: boolean;
  /** Chat model of `solve`, as "provider:name"; without one there is no such tool. */
  model?: string;
  /** Seals what a call has to know when it comes again with a person's answer. */
  codec: RequestStateCodec<Asked>;
}

/** What a call that waits for a person comes again with. */
export interface Asked {
  /** Begins the ids of the calls in the journal, so that none is made twice. */
  id: string;
  /** What the person was shown, as a hash. */
  shown: string;
  /** Hashes of the calls that were approved before. */
  approved: string[];
}

/** A request of a client for one of the tools. */
export interface McpRequest {
  session: McpSession;
  server: McpServer;
  ctx: ServerContext;
}

/** What a tool answers: its result, or what a person has to say first. */
export type McpAnswer = CallToolResult | InputRequiredResult;

/** What a request has brought with it from the round before; a new id where it is the first. */
export function askedBefore({ ctx }: McpRequest): Asked {
  return ctx.mcpReq.requestState<Asked>() ?? { id: randomUUID(), shown: "", approved: [] };
}

/** Whether the client can ask a person. */
export function canAsk({ server, ctx }: McpRequest): boolean {
  const envelope: Record<string, unknown> = ctx.mcpReq.envelope ?? {};
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;
  const { elicitation } = declared ?? server.server.getClientCapabilities() ?? {};
  // A client that only opens pages in a browser names that alone.
  return elicitation !== undefined && (!("url" in elicitation) || "form" in elicitation);
}

/** A result as data, with the same as text for clients that read only that. */
export function resultOf(structuredContent: Record<string, unknown>, text: string): CallToolResult {
  return { structuredContent, content: [{ type: "text", text }] };
}

/** A failure in one line, without secrets. */
export function failure(problem: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: withoutSecrets(oneLine(problem)) }] };
}
