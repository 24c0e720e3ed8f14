import { v5 as uuid5 } from "@langchain/core/utils/uuid";
import type { Run, ThreadState } from "@langchain/langgraph-sdk";
import type { RunError } from "../../server/api/requests.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import type { GraphState } from "../../state/state.js";
import { statusOf } from "../../models/chat/failures.js";
import type { GraphServer, How, Question } from "./graphServer.js";
import { stagesOf, withWholeResults } from "./localRunner.js";
import { AttemptLost, type Runner, type RunRequest, type RunState } from "./runner.js";

interface Served {
  /** Asks a server until the request is cancelled, unless `how` has another signal. */
  ask: <Answer>(question: Question<Answer>, how?: Partial<How>) => Promise<Answer>;
  threadId: string;
  request: RunRequest;
}

/** Namespace for the ids of threads and runs: an arbitrary UUID. */
const NAMESPACE = "5f0c6a0e-6d0e-4b57-9a3c-2f5f3a1d7c11";

/** How long one request waits for the end of a run; then it asks again, perhaps another server (ms). */
const WAIT_MS = 15_000;

/** How long a user who stops an evaluation waits until its runs are cancelled (ms). */
const CANCEL_MS = 10_000;

/** Checkpoints of a run that are read; one with the default limits has a fifth of them. */
const MOST_CHECKPOINTS = 1000;

/**
 * Puts runs into the queue of servers, where any of them works on it. Each attempt has a thread there, with an id that
 * follows from the experiment and the attempt: a run that is under way is joined, one that broke off goes on from its last
 * checkpoint, and what has ended is read. So neither a killed server nor a killed client makes a run twice.
 *
 * @param options.experiment its id
 */
export function servedRunner(options: { server: GraphServer; experiment: string }): Runner {
  const { server, experiment } = options;
  return {
    run: async (request) => {
      const threadId = uuid5(JSON.stringify([experiment, request.threadKey]), NAMESPACE);
      const { signal } = request;
      const ask: Served["ask"] = (question, how) => server.ask(question, { signal, ...how });
      const served = { ask, threadId, request };
      try {
        return await attempt(served);
      } catch (error) {
        if (request.signal.aborted) await cancelOpen(served);
        throw error;
      }
    },
  };
}

async function attempt(served: Served): Promise<RunState> {
  const before = await runsOf(served);
  const [last] = before;
  const isOver = last && !isOpen(last) && (last.status === "success" || (await hasEnded(served)));
  const number = last && (isOver || isOpen(last)) ? before.length - 1 : before.length;
  const { run, result } = await followRun(served, number);
  const { attempts } = Object(run) as { attempts?: number };
  const isResumed = before.length > 0 || Number(attempts) > 1;
  return { ...(await readRun(served, run, result)), resumed: isResumed };
}

/** The runs of the attempt, newest first. */
async function runsOf({ ask, threadId }: Served): Promise<Run[]> {
  return (
    (await ask(({ client, signal }) => orAbsent(client.runs.list(threadId, { signal })))) ?? []
  );
}

async function orAbsent<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

function isOpen({ status }: Run): boolean {
  return status === "pending" || status === "running";
}

async function hasEnded(served: Served): Promise<boolean> {
  const state = await stateOf(served);
  return isBegun(state) && state.next.length === 0;
}

type State = ThreadState<Partial<GraphState>>;

async function stateOf({ ask, threadId }: Served): Promise<State> {
  return await ask(({ client, signal }) =>
    client.threads.getState(threadId, undefined, { signal }),
  );
}

function isBegun({ checkpoint }: State): boolean {
  return Boolean(checkpoint?.checkpoint_id);
}

/**
 * Starts a run unless it has been started, and waits for its end.
 *
 * @param number of the attempt's runs before it. Its id follows from that, so a request that is sent again, because its
 *   answer did not arrive, starts no second one
 */
async function followRun(served: Served, number: number) {
  const { ask, threadId, request } = served;
  const { graph, settings, signal } = request;
  const runId = uuid5(String(number), threadId);
  const goesOn = number > 0 && isBegun(await stateOf(served));
  const wanted = {
    input: goesOn ? null : { request: request.request },
    context: settings,
    metadata: { eval: request.threadKey },
    ifNotExists: "create" as const,
    raiseError: false,
  };
  while (true) {
    let refused: unknown;
    const result = await ask(
      async ({ client, signal: within }) => {
        try {
          return { end: await client.runs.wait(threadId, graph, { ...wanted, signal: within }) };
        } catch (error) {
          if (!within.aborted) throw error;
          // It takes longer, or the server does not answer, which the next question finds out.
          return undefined;
        }
      },
      { headers: { "Idempotency-Key": runId }, timeoutMs: WAIT_MS },
    ).catch((error: unknown) => {
      signal.throwIfAborted();
      refused = error;
      return undefined;
    });
    const run = await ask(({ client, signal: within }) =>
      orAbsent(client.runs.get(threadId, runId, { signal: within })),
    );
    if (run && !isOpen(run) && result) return { run, result: result.end };
    // A request on its way to a server that was halted may have started it meanwhile.
    if (refused !== undefined && !run) throw refused;
  }
}

/** What the server tells of a run that has ended. @throws AttemptLost if it asks whether a write has happened */
async function readRun(
  served: Served,
  run: Run,
  result: unknown,
): Promise<Omit<RunState, "resumed">> {
  const { ask, threadId } = served;
  const history = await ask(({ client, signal }) =>
    client.threads.getHistory<Partial<GraphState>>(threadId, { limit: MOST_CHECKPOINTS, signal }),
  );
  const [last] = history;
  const asked = (last?.tasks ?? []).flatMap(({ interrupts }) => interrupts ?? []);
  const unknown = asked
    .map(({ value }) => value as ReviewRequest)
    .find(({ kind }) => kind === "outcome");
  if (unknown) {
    const [{ name } = { name: "a tool" }] = unknown.actionRequests;
    throw new AttemptLost(`broken off while ${name} was running`, threadId);
  }
  return {
    values: await withWholeResults(last?.values ?? {}, async (ref) => {
      const path = `/console/runs/${run.run_id}/results/${ref}`;
      return Object(await ask(({ read }) => read(path))) as { result?: unknown };
    }),
    stages: stagesOf(history.toReversed()),
    threadId,
    waiting: asked.length > 0,
    failure: failureOf(run, result),
    settings: (run as unknown as { kwargs: { context: RunRequest["settings"] } }).kwargs.context,
  };
}

/** Why a run broke off; if its provider is overloaded, as a local run says it. */
function failureOf({ status }: Run, result: unknown): Error | undefined {
  if (status === "success") return undefined;
  const { __error__: told } = Object(result) as { __error__?: RunError };
  const { message = `the run has ended on the server: ${status}`, overloaded } = told ?? {};
  return Object.assign(new Error(message), { details: { overloaded } });
}

/** Cancels what is under way, so that nothing more is spent. What cannot be cancelled is joined at the next start. */
async function cancelOpen({ ask, threadId }: Served): Promise<void> {
  await ask(
    async ({ client }) => {
      const runs = (await orAbsent(client.runs.list(threadId))) ?? [];
      for (const { run_id } of runs.filter(isOpen))
        await client.runs.cancel(threadId, run_id, true);
    },
    { signal: AbortSignal.timeout(CANCEL_MS) },
  ).catch(() => undefined);
}
