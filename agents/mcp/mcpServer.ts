import type { z } from "zod";
import { messageOf } from "../../common/errors.js";
import { jsonOrNothing } from "../../common/jsonInText.js";
import { randomBytes, randomUUID } from "node:crypto";
import {
  McpServer,
  type McpServerFactory,
  type RequestStateCodec,
  type ServerContext,
  createRequestStateCodec,
} from "@modelcontextprotocol/server";
import { packageVersion } from "../../storage/packageRoot.js";
import { CALL_TOOL } from "../../models/offering/calledTools.js";
import { FIND_TOOLS, callArguments, described, findArguments } from "../controlTools.js";
import { callTool, findTool, foundForm, resultForm } from "./findAndCall.js";
import { RUN_PLAN, planArguments } from "../plan.js";
import { connectingHere } from "./connectHere.js";
import { runPlan } from "./runPlan.js";
import {
  type Asked,
  type McpAnswer,
  type McpRequest,
  type McpSession,
  failure,
} from "./session.js";

/** Bytes of the key that seals the state a client sends back. */
const KEY_BYTES = 32;

/** Seconds that a person has for deciding about calls. */
const PATIENCE_SECONDS = 3600;

/** Rounds of questions in one request from a client of the older revision; a plan may ask several times. */
const MOST_ROUNDS = 50;

const READS = { readOnlyHint: true, openWorldHint: false };
const ACTS = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
};

/**
 * Makes MCP servers for a library, one for each connection. Three tools give access to all of the library's.
 *
 * @param options.allowWrites nobody is asked before a write
 */
export function mcpServers(options: Pick<McpSession, "toolbox" | "allowWrites">): McpServerFactory {
  const codec = stateCodec(randomBytes(KEY_BYTES));
  const threadId = `mcp-${randomUUID()}`;
  const connecting = connectingHere(options.toolbox.workspace);
  const session: McpSession = { ...options, codec, threadId, connecting };
  return () => mcpServerFor(session);
}

/** Seals the states of calls, so that they come back as they were, and within the hour. */
export function stateCodec(key: Uint8Array): RequestStateCodec<Asked> {
  return createRequestStateCodec<Asked>({
    key,
    ttlSeconds: PATIENCE_SECONDS,
    bind: ({ http }) => http?.authInfo?.clientId ?? "",
  });
}

/** The server of one connection. */
export function mcpServerFor(session: McpSession): McpServer {
  const server = new McpServer(
    { name: "tulipgraph", title: "tulipgraph", version: packageVersion() },
    {
      capabilities: { tools: {} },
      instructions: `Search with ${FIND_TOOLS} for what is to be done, several queries at once; then call what was found with ${CALL_TOOL}, or several calls at once with ${RUN_PLAN}.`,
      requestState: { verify: (state, ctx) => session.codec.verify(state, ctx) },
      inputRequired: { maxRounds: MOST_ROUNDS },
    },
  );
  const answering =
    <Given>(
      answer: (given: Given, request: McpRequest) => Promise<McpAnswer>,
      may = session.mayCall,
    ) =>
    async (given: Given, ctx: ServerContext): Promise<McpAnswer> => {
      try {
        may?.();
        return await answer(given, { session, server, ctx });
      } catch (error) {
        return failure(messageOf(error));
      }
    };
  server.registerTool(
    FIND_TOOLS,
    {
      title: "Find tools",
      description: described(
        "Search a large library for tools by what is to be done.",
        session.toolbox,
      ),
      inputSchema: alsoAsText(findArguments, "queries"),
      outputSchema: foundForm,
      annotations: READS,
    },
    answering(findTool, session.mayFind),
  );
  server.registerTool(
    CALL_TOOL,
    {
      title: "Call a tool",
      description: `Call a tool that ${FIND_TOOLS} has found.`,
      inputSchema: alsoAsText(callArguments, "arguments"),
      outputSchema: resultForm,
      annotations: ACTS,
    },
    answering(callTool),
  );
  server.registerTool(
    RUN_PLAN,
    {
      title: "Run a plan",
      description: `Make several calls of tools that ${FIND_TOOLS} has found, as a program: with loops, conditions and results passed on. It is checked before it runs, and a person is asked before it writes.`,
      inputSchema: planArguments,
      outputSchema: resultForm,
      annotations: ACTS,
    },
    answering(runPlan),
  );
  return server;
}

/** A form whose field is also taken as JSON text, as some clients send lists and objects; it is listed as it was. */
function alsoAsText<Form extends z.ZodObject>(form: Form, field: string): Form {
  const standard = form["~standard"];
  const validate: typeof standard.validate = (given, options) =>
    standard.validate(withParsed(given, field), options);
  return Object.create(form, { "~standard": { value: { ...standard, validate } } }) as Form;
}

function withParsed(given: unknown, field: string): unknown {
  const text = (given as Record<string, unknown> | null)?.[field];
  if (typeof text !== "string") return given;
  // No text stands for no arguments.
  const parsed = text.trim() ? jsonOrNothing(text, text) : {};
  const value = Array.isArray(parsed) || field === "arguments" ? parsed : [text];
  return { ...(given as object), [field]: value };
}
