import { once } from "node:events";
import {
  type CallToolResult,
  type InputRequest as ServerQuestion,
  type Tool,
  isInputRequiredResult,
} from "@modelcontextprotocol/client";
import { tellingProgress } from "../../../common/longWork.js";
import { withoutSecrets } from "../../../common/secrets.js";
import type { RemoteCall, RemoteResult } from "../../runtime/calls/remoteCalls.js";
import type { ToolRecord } from "../../tool.js";
import { MOST_QUESTIONS } from "./bounds.js";
import { callProblem, withoutValues } from "./failures.js";
import type { Connections, Lease } from "./connections.js";
import { McpFailed } from "./mcpFailed.js";
import { type CallQuestions, callQuestions } from "./questions.js";
import { failureOf, resultValue } from "./resultValue.js";
import type { Reach } from "./settings.js";

/** A call that a server is working on, or that waits for a person. */
export interface OpenCall {
  questions: CallQuestions;
  /** Settles when the call ends. */
  result: Promise<RemoteResult>;
  /** Whether the request stays open during a question. Servers of 2026 ask in their answer, and are called again. */
  isInFlight: boolean;
  /** Tells the server that the result is no longer wanted. */
  cancel: (reason: unknown) => void;
}

/**
 * Sends a call to its server.
 *
 * @throws McpFailed when the server cannot be reached
 */
export async function beginCall(options: {
  request: RemoteCall;
  connections: Connections;
  home: string;
}): Promise<OpenCall> {
  const { request, connections, home } = options;
  const { record, threadId, callId, signal, onReady, onStart } = request;
  const { server: name } = mcpSource(record);
  const questions = callQuestions({ source: name, tool: record.id, callId, threadId });
  const lease = await connections.lease({ name, signal, questions });
  onReady();
  try {
    await onStart();
  } catch (error) {
    lease.release();
    throw error;
  }
  const { reach } = lease.connection;
  const ending = new AbortController();
  const result = send({ request, lease, questions, signal: ending.signal })
    .then((answer) => remoteResult(answer, home, reach))
    .catch((error: unknown) => {
      const writes = record.effects === "write";
      throw callProblem({ name, reach, error, writes, brokenBy: lease.connection.brokenBy() });
    })
    .finally(lease.release);
  // A call that waits for a person may fail while nobody awaits it.
  result.catch(() => undefined);
  return {
    questions,
    result,
    isInFlight: lease.connection.client.getProtocolEra() !== "modern",
    cancel: (reason) => ending.abort(reason),
  };
}

/** The longest that Node accepts: it fires longer timers at once. The runtime has its own time-outs. */
const NEVER_MS = 2 ** 31 - 1;

async function send(options: {
  request: RemoteCall;
  lease: Lease;
  questions: CallQuestions;
  signal: AbortSignal;
}): Promise<CallToolResult> {
  const { request, lease, questions, signal } = options;
  const { record, args } = request;
  const { tool: name } = mcpSource(record);
  const { client } = lease.connection;
  // The client library looks in it for parameters that are also sent as headers.
  const toolDefinition = { name, inputSchema: record.parameters as Tool["inputSchema"] };
  return await withProgress(record, async (onprogress) => {
    let answers = {};
    for (let round = 0; round <= MOST_QUESTIONS; round++) {
      const params = { name, arguments: args, ...answers };
      const settings = {
        signal,
        timeout: NEVER_MS,
        onprogress,
        allowInputRequired: true,
        toolDefinition,
      };
      const answer: unknown = await client.callTool(params, settings);
      if (!isInputRequiredResult(answer)) return answer as CallToolResult;
      const { inputRequests = {}, requestState } = answer;
      const given = Object.entries(inputRequests).map(
        async ([key, question]) => [key, await answerTo(question, questions, record)] as const,
      );
      answers = { inputResponses: Object.fromEntries(await Promise.all(given)), requestState };
    }
    throw new McpFailed({
      server: mcpSource(record).server,
      problem: `${name} asked more than ${MOST_QUESTIONS} times, so the call was abandoned`,
    });
  });
}

/** Servers may not use our model, and there are no folders to tell them about. */
async function answerTo(
  question: ServerQuestion,
  questions: CallQuestions,
  record: ToolRecord,
): Promise<unknown> {
  if (question.method === "elicitation/create") return await questions.ask(question.params);
  if (question.method === "roots/list") return { roots: [] };
  throw new McpFailed({
    server: mcpSource(record).server,
    problem: `${record.name} tried to use our model (${question.method}), which is not allowed`,
  });
}

type Progress = { progress: number; total?: number };

/** Reports the progress of a call once the server has reported any. */
async function withProgress<Result>(
  { id: label }: ToolRecord,
  doing: (onprogress: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController();
  const untilEnd = once(ended.signal, "abort");
  let tell: ((progress: { done: number; total?: number }) => void) | undefined;
  const begin = () =>
    tellingProgress({ label, unit: "steps", total: 0 }, async (telling) => {
      tell = telling;
      await untilEnd;
    });
  try {
    return await doing(({ progress: done, total = 0 }) => {
      if (!tell) void begin();
      tell?.({ done, total });
    });
  } finally {
    ended.abort();
  }
}

/** A server's words about a failure may repeat secrets that it was given; a result is data and stays as it is. */
function remoteResult(answer: CallToolResult, home: string, reach: Reach): RemoteResult {
  if (answer.isError) return { error: withoutSecrets(withoutValues(failureOf(answer), reach)) };
  return { resultJson: JSON.stringify(resultValue({ result: answer, home })) };
}

function mcpSource({ source }: ToolRecord) {
  if (source.kind === "mcp") return source;
  throw new TypeError(`${source.kind} is not an MCP tool`);
}
