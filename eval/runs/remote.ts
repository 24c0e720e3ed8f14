import { once } from "node:events";
import { v5 as uuid5 } from "@langchain/core/utils/uuid";
import type { Run, ThreadState } from "@langchain/langgraph-sdk";
import { hasEnded } from "../../graphs/openGraph.js";
import type { GraphState } from "../../state/state.js";
import { type RemoteEnd, type RemoteThread, followRun, isStatus, problemIn } from "./remoteRun.js";
import {
  ServerFailed,
  type ServerAddress,
  checkServer,
  openClient,
  requireAddress,
  serverFailure,
} from "./remoteServer.js";
import type { RunRequest, RunState, Runner } from "./runner.js";
import { stagesOf } from "./stageVisits.js";

/** Runs graphs on a server that speaks LangGraph's API. */
interface RemoteRunner extends Runner {
  /**
   * Checks that the server answers and serves these graphs.
   *
   * @throws ServerFailed
   * @throws UnknownName for a graph that it does not serve
   */
  check(graphs: readonly string[]): Promise<void>;
}

/** The graph API that makes the runs. */
interface RemoteOptions extends ServerAddress {
  /** Id of the experiment: another experiment on the same server uses other threads. */
  experiment: string;
}

/**
 * Makes runs on a deployed graph API. Each attempt has a thread there, found again by its key: a run still
 * under way is joined, an interrupted one is resumed, and the result of a finished one is read. If a run
 * breaks off on the server, that is its `failure`; if the server is gone, an error is thrown.
 *
 * @throws InvalidSetting unless the address is one
 */
export function remoteRunner({ experiment, ...server }: RemoteOptions): RemoteRunner {
  requireAddress(server.url);
  return {
    check: (graphs) => checkServer(server, graphs),
    run: (request) => runOnServer({ server, experiment, request }),
  };
}

/** Namespace for the ids of threads: an arbitrary UUID. */
const THREADS = "5f0c6a0e-6d0e-4b57-9a3c-2f5f3a1d7c11";

async function runOnServer(options: {
  server: ServerAddress;
  experiment: string;
  request: RunRequest;
}): Promise<RunState> {
  const { server, experiment, request } = options;
  const { signal, threadKey } = request;
  signal.throwIfAborted();
  const threadId = uuid5(JSON.stringify([experiment, threadKey]), THREADS);
  const thread = { client: openClient({ server, signal }), threadId, request };
  try {
    return await unlessAborted(signal, attempt(server, thread));
  } catch (error) {
    if (!signal.aborted) throw serverFailure(server, error);
    await cancelRuns(server, threadId);
    throw signal.reason;
  }
}

async function attempt(server: ServerAddress, thread: RemoteThread): Promise<RunState> {
  const { client, threadId, request } = thread;
  const { graph: graphId, signal } = request;
  await client.threads.create({ threadId, graphId, ifExists: "do_nothing", signal });
  const [underWay] = await runsUnderWay(thread);
  const joined = underWay && (await followRun(thread, underWay));
  const before = await stateOf(thread);
  const isBegun = isOfRequest(before, request);
  const resumed = underWay !== undefined || isBegun;
  const isOver = isBegun && (hasEnded(before) || isWaiting(before));
  if (isOver || joined?.status === "error") {
    return await readRun({ server, thread, end: joined, resumed });
  }
  const run = await startRun(thread, isBegun ? null : { request: request.request });
  return await readRun({ server, thread, end: await followRun(thread, run), resumed });
}

type State = ThreadState<Partial<GraphState>>;

function stateOf({ client, threadId, request: { signal } }: RemoteThread): Promise<State> {
  return client.threads.getState<Partial<GraphState>>(threadId, undefined, { signal });
}

/** Whether a thread has passed the first stage with this request. */
function isOfRequest({ values }: State, { request }: RunRequest): boolean {
  return values.run?.request === request.trim();
}

function isWaiting({ tasks }: State): boolean {
  return tasks.some(({ interrupts }) => interrupts?.length > 0);
}

async function runsUnderWay(thread: Pick<RemoteThread, "client" | "threadId">): Promise<Run[]> {
  const { client, threadId } = thread;
  // In this order, a run that begins between the two questions appears in one of the answers.
  const pending = await client.runs.list(threadId, { status: "pending" });
  return pending.length > 0 ? pending : await client.runs.list(threadId, { status: "running" });
}

/** @param input null to resume the thread */
async function startRun(thread: RemoteThread, input: { request: string } | null): Promise<Run> {
  const { client, threadId, request } = thread;
  try {
    return await client.runs.create(threadId, request.graph, {
      input,
      context: request.settings,
      streamMode: ["values"],
      durability: "sync",
      multitaskStrategy: "reject",
      signal: request.signal,
    });
  } catch (error) {
    if (!isStatus(error, 409, 422)) throw error;
    // The thread is busy: an earlier request arrived after all, though its answer did not. Its run may have
    // ended since; the newest run is listed first.
    const [begun] = [...(await runsUnderWay(thread)), ...(await client.runs.list(threadId))];
    if (begun) return begun;
    throw error;
  }
}

/** The most checkpoints that the API returns at once; a run with the default limits has a fifth of them. */
const MOST_CHECKPOINTS = 1000;

async function readRun(options: {
  server: ServerAddress;
  thread: RemoteThread;
  end?: RemoteEnd;
  resumed: boolean;
}): Promise<RunState> {
  const { server, thread, end, resumed } = options;
  const { client, threadId } = thread;
  const state = await stateOf(thread);
  const limit = MOST_CHECKPOINTS;
  const history = await client.threads.getHistory<Partial<GraphState>>(threadId, { limit });
  const problem = problemOf(state, end);
  return {
    values: state.values,
    stages: stagesOf(history.toReversed()),
    resumed,
    threadId,
    waiting: isWaiting(state),
    ...(problem === undefined
      ? {}
      : {
          failure: new ServerFailed({ server: server.url, problem: `the run failed: ${problem}` }),
        }),
  };
}

/** Why a run did not end by itself. */
function problemOf(state: State, end?: RemoteEnd): string | undefined {
  if (end === undefined || end.status === "success" || isWaiting(state)) return undefined;
  if (end.status === "timeout") return "its time on the server was over";
  if (end.status === "interrupted") {
    return hasEnded(state) ? undefined : "it was cancelled on the server";
  }
  const told = state.tasks.find(({ error }) => error)?.error;
  return end.problem ?? (told ? problemIn(told) : "the server does not say why; see its log");
}

/** The SDK ignores signals while it pauses between two tries, which may take many seconds. */
async function unlessAborted<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const over = new AbortController();
  const aborted = once(signal, "abort", { signal: over.signal });
  try {
    return await Promise.race([work, aborted.then(() => Promise.reject(signal.reason as Error))]);
  } finally {
    over.abort();
  }
}

/** Time limit for each answer while runs are cancelled. */
const CANCEL_TIMEOUT_MS = 10_000;

/** Cancels what is under way on a thread, and waits until it has ended. */
async function cancelRuns(server: ServerAddress, threadId: string): Promise<void> {
  const client = openClient({ server, maxRetries: 1 });
  const signal = AbortSignal.timeout(CANCEL_TIMEOUT_MS);
  try {
    for (const { run_id } of await runsUnderWay({ client, threadId })) {
      await client.runs.cancel(threadId, run_id, true, "interrupt", { signal });
    }
  } catch {
    // A run that cannot be cancelled continues unattended and is joined at the next start; the user who
    // wants to stop need not wait for it.
  }
}
