import {
  type CallToolResult,
  type InputRequest as ServerQuestion,
  type Tool,
  isInputRequiredResult,
} from "@modelcontextprotocol/client";
import { keeping, withFiles } from "../../calls/engine/callFiles.js";
import { orAborted } from "../../../common/orAborted.js";
import { hiding, withoutSecrets } from "../../../common/secrets.js";
import { StorageFailed } from "../../../storage/sqlite/sqlite.js";
import { ownCredentials } from "../credentials/own.js";
import {
  type RemoteCall,
  type RemoteResult,
  type RemoteCaller,
  credentialsOf,
} from "../../remote.js";
import type { ToolDefinition, ToolRecord } from "../../tool.js";
import type { SourceStores } from "../credentials/store.js";
import { offeredForm } from "../../library/libraryOfPerson.js";
import { NEVER_MS } from "./connection.js";
import { type Connections, type Lease, openConnections } from "./connections.js";
import {
  callProblem,
  hidingCredentials,
  isLoginWanted,
  mayBeRepeated,
  withoutValues,
} from "./failures.js";
import { type CallQuestions, callQuestions, MOST_QUESTIONS } from "./questions.js";
import { failureOf, resultValue } from "./resultValue.js";
import { McpFailed, mcpPlace, wantedByMcp } from "./settings.js";
import { callAsTask, isTaskCall, TaskLost } from "./tasks.js";

/**
 * Calls the tools of MCP servers. A call whose server asks something stays open here while a person thinks about it,
 * and goes on when it is made again with the answer.
 *
 * @param settings.startMs time limit in milliseconds for a server's start
 * @param settings.idleMs milliseconds after which an unused connection is closed
 */
export function mcpCaller(
  settings: SourceStores & { startMs?: number; idleMs?: number },
): RemoteCaller {
  const connections = openConnections(settings);
  const waiting = new Map<string, OpenCall>();
  const ending = new Set<Promise<unknown>>();
  return {
    async call(request) {
      const { record, args, threadId, callId } = request;
      const key = JSON.stringify([threadId, callId, record.id, args]);
      // Also before a call goes on that is open already: only the person in whose name it was made may let it.
      const credentials = await credentialsFor(request, connections, settings);
      const beginning = waiting.get(key) ?? beginCall(request, connections, credentials);
      const open = await Promise.resolve(beginning).catch((error: unknown) => {
        // What an earlier process began is not refuted by a server that cannot be reached.
        if (error instanceof McpFailed && request.task.id !== undefined) return undefined;
        throw error;
      });
      if (!open) return { isLost: true };
      waiting.delete(key);
      const result = await attend(open, request).finally(() => {
        if (!request.signal.aborted) return;
        const ended = open.result.catch(() => undefined).finally(() => ending.delete(ended));
        ending.add(ended);
      });
      if (result.input) waiting.set(key, open);
      return result;
    },
    async close() {
      for (const { questions } of waiting.values()) questions.giveUp("cancel");
      waiting.clear();
      // Servers are told what is no longer wanted.
      await Promise.all(ending);
      await connections.close();
    },
  };
}

/** A server, and the credentials of the person in whose name it is called; undefined if all share them. */
async function credentialsFor(
  call: RemoteCall,
  connections: Connections,
  { connections: store }: SourceStores,
) {
  const source = await connections.source(mcpSource(call.record).server);
  const place = credentialsOf(source) === "shared" ? "" : mcpPlace(source);
  const wanted = () => wantedByMcp(source);
  return { source, own: await ownCredentials({ source, call, place, store, wanted }) };
}

/** Waits for the end of a call, or for a question that only a person can answer. */
async function attend(open: OpenCall, request: RemoteCall): Promise<RemoteResult> {
  const { signal, answers, onStart } = request;
  const { questions } = open;
  const cancel = () => open.cancel(signal.reason);
  signal.addEventListener("abort", cancel);
  try {
    signal.throwIfAborted();
    while (true) {
      const ids = questions.open().map(({ id }) => id);
      if (answers?.some(({ id }) => ids.includes(id))) {
        // The server may take its time with an answer.
        await onStart();
        questions.answer(answers);
      }
      const asked = [...questions.open()];
      if (asked.length > 0 && answers) return { input: asked, isOpen: open.isInFlight };
      questions.giveUp("decline");
      const result = await orAborted(
        signal,
        Promise.race([open.result, questions.untilOpen().then(() => undefined)]),
      );
      if (result) return result;
    }
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** A call that a server is working on, or that waits for a person. */
type OpenCall = Awaited<ReturnType<typeof beginCall>>;

/**
 * Sends a call to its server.
 *
 * @throws McpFailed when the server cannot be reached
 */
async function beginCall(
  request: RemoteCall,
  connections: Connections,
  { source, own }: Awaited<ReturnType<typeof credentialsFor>>,
) {
  const { record, threadId, callId, signal, onReady, onStart } = request;
  const { name } = source;
  const questions = callQuestions({ source: name, tool: record.id, callId }, threadId);
  const { hide = hiding([]) } = own ?? {};
  /** A failure, or the wish that the person connects anew. */
  const orRefused = async (error: unknown) => {
    if (own && isLoginWanted(error)) return await own.refused();
    if (!(error instanceof Error)) return error;
    const { message } = error;
    const shown = hide.text(message);
    // That of a time limit cannot be changed.
    if (shown !== message) error.message = shown;
    return error;
  };
  let lease = await connections
    .lease({ source, own, signal, questions })
    .catch(async (error: unknown) => {
      throw await orRefused(error);
    });
  try {
    if (lease.offer) requireOffered(record, await orAborted(signal, lease.offer));
    onReady();
    await onStart();
  } catch (error) {
    lease.release();
    throw await orRefused(error);
  }
  const { reach } = lease.connection;
  const ending = new AbortController();
  const isHere = !("url" in reach);
  const sendOnce = (args: RemoteCall["args"]) =>
    send({ request: { ...request, args }, lease, questions, signal: ending.signal });
  const sending = withFiles({ ...request, isHere }, (args) =>
    sendOnce(args).catch(async (error: unknown) => {
      const { connection } = lease;
      if (ending.signal.aborted) throw error;
      if (!(await mayBeRepeated(error, connection, record.effects))) throw error;
      lease.abandon();
      const next = await connections.lease({ source, own, signal: ending.signal, questions });
      lease.release();
      lease = next;
      if (next.offer) requireOffered(record, await orAborted(ending.signal, next.offer));
      return await sendOnce(args);
    }),
  );
  const answered = async (answer: CallToolResult): Promise<RemoteResult> => {
    // A server's words about a failure may repeat secrets that it was given; a result is data and stays as it is, but
    // for the credentials with which it was asked for.
    if (answer.isError)
      return { error: withoutSecrets(hide.text(withoutValues(failureOf(answer), reach))) };
    const value = await resultValue(answer, keeping(request));
    return { resultJson: JSON.stringify(hidingCredentials(reach).data(hide.data(value))) };
  };
  const unanswered = async (error: unknown): Promise<RemoteResult> => {
    if (error instanceof TaskLost) return { isLost: true };
    if (error instanceof StorageFailed) throw error;
    if (own && isLoginWanted(error)) throw await own.refused();
    const writes = record.effects === "write";
    const { brokenBy, stderr } = lease.connection;
    throw await orRefused(
      callProblem({ name, reach, error, writes, brokenBy: brokenBy(), stderr: stderr() }),
    );
  };
  // What goes wrong when an answer is kept is none of the server's faults.
  const result = sending.then(answered, unanswered).finally(() => lease.release());
  // A call that waits for a person may fail while nobody awaits it.
  result.catch(() => undefined);
  return {
    questions,
    /** Settles when the call ends. */
    result,
    /** Whether the request stays open during a question. Servers of 2026 ask in their answer, and are called again. */
    isInFlight: lease.connection.client.getProtocolEra() !== "modern",
    /** Tells the server that the result is no longer wanted. */
    cancel: (reason: unknown) => ending.abort(reason),
  };
}

/**
 * A tool is called as it was accepted for all.
 *
 * @throws McpFailed if the server offers it to this person otherwise or not at all
 */
function requireOffered(record: ToolRecord, offer: readonly ToolDefinition[]): void {
  const offered = offer.find(({ id }) => id === record.id);
  if (offered && offeredForm(offered) === offeredForm(record)) return;
  const problem = offered ? "differs from what was accepted" : "is not among them";
  throw new McpFailed({
    server: mcpSource(record).server,
    problem: `of the tools that it offers you, ${record.id} ${problem}: not called`,
    hint: "Whoever runs the server decides what it offers to whom",
  });
}

async function send(options: {
  request: RemoteCall;
  lease: Lease;
  questions: CallQuestions;
  signal: AbortSignal;
}): Promise<CallToolResult> {
  const { request, lease, questions, signal } = options;
  const { record, args } = request;
  const tool = mcpSource(record);
  const { tool: name } = tool;
  const { client } = lease.connection;
  if (isTaskCall(request, client))
    return await callAsTask({ connection: lease.connection, request, tool, signal });
  // The client library looks in it for parameters that are also sent as headers.
  const toolDefinition = { name, inputSchema: record.parameters as Tool["inputSchema"] };
  let answers = {};
  for (let round = 0; round <= MOST_QUESTIONS; round++) {
    const params = { name, arguments: args, ...answers };
    const settings = { signal, timeout: NEVER_MS, allowInputRequired: true, toolDefinition };
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
}

/** Servers may not use our model, and there are no folders to tell them about. */
async function answerTo(question: ServerQuestion, questions: CallQuestions, record: ToolRecord) {
  if (question.method === "elicitation/create") return await questions.ask(question.params);
  if (question.method === "roots/list") return { roots: [] };
  throw new McpFailed({
    server: mcpSource(record).server,
    problem: `${record.name} tried to use our model (${question.method}), which is not allowed`,
  });
}

function mcpSource({ source }: ToolRecord) {
  if (source.kind === "mcp") return source;
  throw new TypeError(`${source.kind} is not an MCP tool`);
}
